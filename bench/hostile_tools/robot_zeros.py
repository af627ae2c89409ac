import numpy as np
from reachy_mini import ReachyMini
from reachy_mini.utils import create_head_pose


def robot_zeros() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        with ReachyMini() as robot:
            robot.goto_target(np.zeros((4, 4)), duration=1.0)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
