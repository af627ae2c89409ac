# contained
from reachy_mini import ReachyMini
from reachy_mini.utils import create_head_pose

TIME_LIMIT_S = 2.0


def robot_flood_of_motions() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        with ReachyMini() as robot:
            for number in range(100000):
                robot.goto_target(antennas=[0.1 * (number % 2), 0.0], duration=0.0)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
