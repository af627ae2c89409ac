"""Calm breathing with the head and the antennas."""

import math
import time

from reachy_mini import ReachyMini
from reachy_mini.utils import create_head_pose

TIME_LIMIT_S = 100


def breathe_calmly(seconds: float = 20.0, breaths_per_minute: float = 12.0) -> dict:
    """Lets the robot breathe calmly: the head rises and falls by some millimetres.

    Args:
        seconds: How long, at most 90.
        breaths_per_minute: Pace of the breath, 6 to 20.

    Returns:
        dict: Full breaths that were taken.
    """
    if not 1 <= seconds <= 90 or not 6 <= breaths_per_minute <= 20:
        return {"status": "error", "message": "1 to 90 s and 6 to 20 breaths a minute"}
    omega = 2 * math.pi * breaths_per_minute / 60
    with ReachyMini() as mini:
        start = time.monotonic()
        while True:
            t = time.monotonic() - start
            if t >= seconds:
                break
            lift = 5 * (1 - math.cos(omega * t)) / 2
            tip = math.radians(8) * math.sin(omega * t)
            mini.set_target(head=create_head_pose(z=lift, mm=True), antennas=[tip, -tip])
            time.sleep(0.05)
        mini.goto_target(head=create_head_pose(), antennas=[0, 0], duration=1.0)
    return {"status": "success", "breaths": int(seconds * breaths_per_minute / 60 + 1e-9)}
