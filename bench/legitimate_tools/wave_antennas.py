import asyncio

import numpy as np
from reachy_mini import ReachyMini


async def wave_antennas(waves: int = 3, angle_deg: float = 40.0) -> dict:
    """
    Wave with both antennas.

    Args:
        waves: Number of waves (1-6)
        angle_deg: How far the antennas go, in degrees (10-60)

    Returns:
        dict: {"status": "success", "waves": int}
    """
    if waves < 1 or waves > 6 or angle_deg < 10 or angle_deg > 60:
        return {"status": "error", "message": "waves must be 1-6 and angle_deg 10-60"}

    try:
        with ReachyMini() as mini:
            for i in range(waves):
                sign = 1 if i % 2 == 0 else -1
                mini.goto_target(antennas=np.deg2rad([sign * angle_deg, sign * angle_deg]), duration=0.5)
                await asyncio.sleep(0.1)
            mini.goto_target(antennas=[0.0, 0.0], duration=0.5)
        return {"status": "success", "waves": waves}
    except Exception as e:
        return {"status": "error", "message": str(e)}
