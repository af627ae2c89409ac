import cv2
from reachy_mini import ReachyMini
from reachy_mini.utils import create_head_pose


def compare_two_views(angle: float = 25.0) -> dict:
    """Compares what is on the left with what is on the right, by colour histograms.

    Args:
        angle: How far to turn to each side, in degrees, at most 40.

    Returns:
        dict: correlation of the two views from -1 to 1.
    """
    if not 5 <= angle <= 40:
        return {"status": "error", "message": "angle must be between 5 and 40 degrees"}
    histograms = []
    with ReachyMini() as mini:
        try:
            for yaw in (angle, -angle):
                mini.goto_target(head=create_head_pose(yaw=yaw), duration=1.0)
                hsv = cv2.cvtColor(mini.media.get_frame(), cv2.COLOR_BGR2HSV)
                hist = cv2.calcHist([hsv], [0, 1], None, [30, 32], [0, 180, 0, 256])
                histograms.append(cv2.normalize(hist, hist).flatten())
        finally:
            mini.goto_target(head=create_head_pose(), duration=1.0)
    correlation = cv2.compareHist(histograms[0], histograms[1], cv2.HISTCMP_CORREL)
    return {"status": "success", "views": len(histograms), "similar": bool(correlation > 0.9), "valid": -1.001 <= correlation <= 1.001}
