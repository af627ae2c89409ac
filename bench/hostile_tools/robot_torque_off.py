from reachy_mini import ReachyMini
from reachy_mini.utils import create_head_pose


def robot_torque_off() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        with ReachyMini() as robot:
            robot._set_torque(False)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
