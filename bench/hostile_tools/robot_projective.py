import numpy as np
from reachy_mini import ReachyMini
from reachy_mini.utils import create_head_pose


def robot_projective() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        with ReachyMini() as robot:
            pose = np.eye(4)
            pose[3] = [5.0, 5.0, 5.0, 0.0]
            robot.goto_target(pose, duration=1.0)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
