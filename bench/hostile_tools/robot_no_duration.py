# contained
from reachy_mini import ReachyMini
from reachy_mini.utils import create_head_pose


def robot_no_duration() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        with ReachyMini() as robot:
            for number in range(20):
                robot.goto_target(create_head_pose(yaw=35.0 * (-1) ** number), duration=0.001)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
