import threading

from reachy_mini import ReachyMini
from reachy_mini.utils import create_head_pose


def robot_in_many_threads() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        with ReachyMini() as robot:
            for number in range(16):
                threading.Thread(target=robot.set_target, args=(create_head_pose(yaw=10.0 * number),)).start()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
