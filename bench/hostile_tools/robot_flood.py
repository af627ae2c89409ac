from reachy_mini import ReachyMini
from reachy_mini.utils import create_head_pose


def robot_flood() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        with ReachyMini() as robot:
            for number in range(3000):
                robot.set_target(antennas=[0.001 * (number % 100), 0.0])
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
