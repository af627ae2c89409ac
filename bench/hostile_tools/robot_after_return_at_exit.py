import atexit

from reachy_mini import ReachyMini
from reachy_mini.utils import create_head_pose


def robot_after_return_at_exit() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        with ReachyMini() as robot:
            atexit.register(lambda: robot.set_target(create_head_pose(yaw=120.0)))
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
