import math
import time

from reachy_mini import ReachyMini
from reachy_mini.utils import create_head_pose


def shake_no(duration: float = 2.0, amplitude: float = 20.0, frequency: float = 1.0) -> dict:
    """Shakes the head smoothly, as one does to say no.

    Args:
        duration: Seconds, up to 6.
        amplitude: Degrees to each side, up to 25.
        frequency: Shakes per second, up to 1.2.

    Returns:
        dict: Number of targets that were sent.
    """
    if not (0 < duration <= 6 and 0 < amplitude <= 25 and 0 < frequency <= 1.2):
        return {"status": "error", "message": "too long, too far or too fast"}
    sent = 0
    with ReachyMini() as mini:
        t0 = time.time()
        while (t := time.time() - t0) < duration:
            fade = min(1.0, t / 0.4, (duration - t) / 0.4)
            yaw = fade * amplitude * math.sin(2 * math.pi * frequency * t)
            mini.set_target(head=create_head_pose(yaw=yaw, degrees=True))
            sent += 1
            time.sleep(0.02)
        mini.goto_target(head=create_head_pose(), duration=0.5)
    return {"status": "success", "smooth": sent >= 40 * duration}
