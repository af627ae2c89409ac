from math import pi, sin

import numpy as np


async def lissajous_gaze(a: int = 1, b: int = 2, seconds: float = 8.0) -> dict:
    """Draws a Lissajous figure in the air with the gaze.

    Args:
        a: Frequency to the side, 1 to 3.
        b: Frequency up and down, 1 to 3.
        seconds: Time for the whole figure, 6 to 15.

    Returns:
        dict: Largest angles that were asked for, in degrees.
    """
    import asyncio
    from reachy_mini import ReachyMini
    from reachy_mini.utils import create_head_pose

    if a not in (1, 2, 3) or b not in (1, 2, 3) or not 6 <= seconds <= 15:
        return {"status": "error", "message": "a and b are 1 to 3; 6 to 15 seconds"}
    steps = int(seconds * 25)
    phases = np.linspace(0.0, 2 * pi, steps)
    path = [(18 * sin(a * p), 10 * sin(b * p)) for p in phases]
    with ReachyMini() as mini:
        for yaw, pitch in path:
            mini.set_target_head_pose(create_head_pose(yaw=yaw, pitch=pitch))
            await asyncio.sleep(seconds / steps)
    yaws, pitches = zip(*path)
    return {"status": "success", "max_yaw": round(max(yaws)), "max_pitch": round(max(pitches)), "steps": steps}

TIME_LIMIT_S = 20
