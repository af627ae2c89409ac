from reachy_mini import ReachyMini
from reachy_mini.utils import create_head_pose


def robot_antennas_wound_up() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        with ReachyMini() as robot:
            robot.set_target_antenna_joint_positions([100.0, -100.0])
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
