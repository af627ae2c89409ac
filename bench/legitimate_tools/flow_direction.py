import time

import cv2
import numpy as np
from reachy_mini import ReachyMini


def flow_direction(pause: float = 0.2) -> dict:
    """Tells which way the picture flows between two frames.

    Args:
        pause: Seconds between the frames, up to 2.

    Returns:
        Mean flow in pixels and its direction.
    """
    if not 0.0 < pause <= 2.0:
        return {"status": "error", "message": "pause is above 0 and at most 2 s"}
    with ReachyMini() as mini:
        first = mini.media.get_frame()
        time.sleep(pause)
        second = mini.media.get_frame()
    before, after = (cv2.resize(cv2.cvtColor(f, cv2.COLOR_BGR2GRAY), (160, 120)) for f in (first, second))
    flow = cv2.calcOpticalFlowFarneback(before, after, None, 0.5, 3, 15, 3, 5, 1.2, 0)
    dx, dy = (float(np.median(flow[..., axis])) for axis in (0, 1))
    magnitude, angle = cv2.cartToPolar(flow[..., 0], flow[..., 1], angleInDegrees=True)
    still = float(magnitude.mean()) < 0.2
    if still:
        direction = "still"
    elif abs(dx) > abs(dy):
        direction = "right" if dx > 0 else "left"
    else:
        direction = "down" if dy > 0 else "up"
    return {"status": "success", "direction": direction, "flow_px": [round(dx, 2), round(dy, 2)], "angles_ok": bool(angle.max() <= 360.1)}
