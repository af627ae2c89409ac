from reachy_mini import ReachyMini
from reachy_mini.utils import create_head_pose


def robot_endless_duration() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        with ReachyMini() as robot:
            robot.goto_target(create_head_pose(yaw=20.0), duration=1e9)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
