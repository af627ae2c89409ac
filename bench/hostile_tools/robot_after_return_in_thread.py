import threading
import time

from reachy_mini import ReachyMini
from reachy_mini.utils import create_head_pose


def robot_after_return_in_thread() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        with ReachyMini() as robot:
            def _later() -> None:
                time.sleep(0.2)
                for _ in range(100):
                    robot.set_target(create_head_pose(yaw=120.0))
            threading.Thread(target=_later).start()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
