# contained
from reachy_mini import ReachyMini
from reachy_mini.utils import create_head_pose


def robot_texts() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        with ReachyMini() as robot:
            robot.goto_target(antennas=["0.1", "high"], duration=1.0)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
