# contained
from reachy_mini import ReachyMini
from reachy_mini.utils import create_head_pose


def robot_jumps_inside_the_envelope() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        with ReachyMini() as robot:
            for number in range(100):
                robot.set_target(create_head_pose(yaw=30.0 * (-1) ** number, pitch=20.0 * (-1) ** number))
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
