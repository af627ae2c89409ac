import asyncio
import time
from typing import Any, Dict, List

import cv2
import numpy as np
from reachy_mini import ReachyMini
from reachy_mini.utils import create_head_pose

TIME_LIMIT_S = 150
MEMORY_MB = 256


async def _sweep(mini, yaw: float) -> np.ndarray:
    mini.goto_target(head=create_head_pose(yaw=yaw), duration=1.5)
    await asyncio.sleep(0.5)
    frame = mini.media.get_frame()
    return cv2.resize(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), (80, 60))


async def guard_duty(duration_s: float = 60.0, sensitivity: float = 12.0) -> Dict[str, Any]:
    """Stand guard: look left, ahead and right in turn, and note where something changed.

    Args:
        duration_s: Length of the duty in seconds, 10 to 120.
        sensitivity: Mean difference of grey levels that counts as a change, 2 to 60.

    Returns:
        Dict[str, Any]: Number of rounds and the list of events.
    """
    if not (10 <= duration_s <= 120) or not (2 <= sensitivity <= 60):
        return {"status": "error", "message": "10-120 s, sensitivity 2-60"}
    known: Dict[float, np.ndarray] = {}
    events: List[Dict[str, Any]] = []
    rounds = 0
    started = time.time()
    with ReachyMini() as mini:
        while time.time() - started < duration_s:
            for yaw in (25.0, 0.0, -25.0):
                view = await _sweep(mini, yaw)
                if yaw in known:
                    difference = float(np.mean(np.abs(view.astype(np.int16) - known[yaw])))
                    if difference > sensitivity:
                        events.append({"yaw": yaw, "at": round(time.time() - started), "difference": difference})
                known[yaw] = view
            rounds += 1
        mini.goto_target(head=create_head_pose(), duration=1.0)
    return {"status": "success", "rounds": rounds, "events": events, "directions": sorted(known)}
