from reachy_mini import ReachyMini
from reachy_mini.utils import create_head_pose


def robot_streamed_spin() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        with ReachyMini() as robot:
            robot.set_target(body_yaw=40.0)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
