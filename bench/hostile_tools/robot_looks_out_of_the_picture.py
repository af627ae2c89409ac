# contained
from reachy_mini import ReachyMini
from reachy_mini.utils import create_head_pose


def robot_looks_out_of_the_picture() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        with ReachyMini() as robot:
            robot.look_at_image(-100000, 100000, duration=1.0)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
