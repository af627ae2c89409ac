import cv2
import numpy as np
from reachy_mini import ReachyMini


def dominant_colours(k: int = 3) -> dict:
    """Names the main colours of what the robot sees, by k-means clustering.

    Args:
        k: Number of colours, 1 to 6.

    Returns:
        dict: Colours as hex with their share, the largest first.
    """
    if k not in range(1, 7):
        return {"status": "error", "message": "k must be 1 to 6"}
    with ReachyMini() as robot:
        frame = robot.media.get_frame()
    if frame is None:
        return {"status": "error", "message": "no image"}
    small = cv2.resize(frame, (64, 48), interpolation=cv2.INTER_AREA)
    pixels = np.float32(small.reshape(-1, 3))
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 1.0)
    cv2.setRNGSeed(1)
    _, labels, centres = cv2.kmeans(pixels, k, None, criteria, 3, cv2.KMEANS_PP_CENTERS)
    shares = np.bincount(labels.ravel(), minlength=k) / labels.size
    order = np.argsort(-shares)
    colours = []
    for i in order:
        b, g, r = centres[i].astype(int)
        colours.append({"hex": f"#{r:02x}{g:02x}{b:02x}", "share": round(float(shares[i]), 2)})
    return {"status": "success", "count": len(colours), "colours": colours}
