from reachy_mini import ReachyMini
from reachy_mini.utils import create_head_pose


def robot_head_on_its_side() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        with ReachyMini() as robot:
            robot.goto_target(create_head_pose(roll=90.0), duration=1.0)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
