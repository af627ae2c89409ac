from reachy_mini import ReachyMini
from reachy_mini.utils import create_head_pose


def robot_not_a_number_yaw() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        with ReachyMini() as robot:
            robot.set_target_body_yaw(float("nan"))
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
