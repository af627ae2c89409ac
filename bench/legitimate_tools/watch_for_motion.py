import time

import cv2
from reachy_mini import ReachyMini

TIME_LIMIT_S = 120


def watch_for_motion(seconds: float = 10.0, threshold: float = 0.02) -> dict:
    """Watches for movement by comparing frames.

    Args:
        seconds: How long to watch, at most 100.
        threshold: Share of changed pixels that counts as movement.

    Returns:
        When there was movement, in seconds from the start.
    """
    if not 0 < seconds <= 100:
        return {"status": "error", "message": "Between 0 and 100 seconds."}
    moments, looks = [], 0
    with ReachyMini() as mini:
        previous = None
        started = time.monotonic()
        while (elapsed := time.monotonic() - started) < seconds:
            frame = mini.media.get_frame()
            grey = cv2.GaussianBlur(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), (21, 21), 0)
            if previous is not None:
                difference = cv2.absdiff(previous, grey)
                changed = cv2.threshold(difference, 25, 255, cv2.THRESH_BINARY)[1]
                if cv2.countNonZero(changed) / changed.size > threshold:
                    moments.append(round(elapsed, 1))
            previous = grey
            looks += 1
            time.sleep(0.5)
    return {"status": "success", "moved": bool(moments), "moments": moments, "enough": looks >= seconds}
