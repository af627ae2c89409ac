import time
from typing import Any, Dict

import cv2
from reachy_mini import ReachyMini


def photo_burst(count: int = 5, pause: float = 0.2) -> Dict[str, Any]:
    """Take several photos quickly and keep the sharpest one.

    Args:
        count: Number of photos, 1 to 20.
        pause: Seconds between photos, 0 to 2.

    Returns:
        Dict[str, Any]: Number of photos, index of the sharpest, and its file.
    """
    if not 1 <= count <= 20 or not 0 <= pause <= 2:
        return {"status": "error", "message": "1 to 20 photos, 0 to 2 s apart"}
    shots = []
    with ReachyMini() as mini:
        for number in range(count):
            if number:
                time.sleep(pause)
            if (frame := mini.media.get_frame()) is None:
                continue
            sharpness = cv2.Laplacian(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), cv2.CV_64F).var()
            shots.append((float(sharpness), number, frame))
    if not shots:
        return {"status": "error", "message": "no frames from the camera"}
    sharpness, best, frame = max(shots, key=lambda shot: shot[0])
    cv2.imwrite("/tmp/best.jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, 90])
    return {"status": "success", "taken": len(shots), "best": best, "file": "/tmp/best.jpg", "sharp": sharpness >= 0}
