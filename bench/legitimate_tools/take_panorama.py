import cv2
import numpy as np
from reachy_mini import ReachyMini
from reachy_mini.utils import create_head_pose

TIME_LIMIT_S = 30


def take_panorama(views: int = 5, span_deg: float = 80.0) -> dict:
    """Takes a panorama by turning the head from left to right.

    Args:
        views: How many pictures, 2 to 9.
        span_deg: From the leftmost to the rightmost, in degrees, at most 90.

    Returns:
        The panorama's size and its file.
    """
    if views < 2 or views > 9 or span_deg <= 0 or span_deg > 90:
        raise ValueError("2 to 9 views over at most 90 degrees")
    strips = []
    with ReachyMini() as mini:
        for yaw in np.linspace(span_deg / 2, -span_deg / 2, views):
            mini.goto_target(create_head_pose(yaw=float(yaw)), duration=0.8)
            frame = mini.media.get_frame()
            height, width = frame.shape[:2]
            strip = frame[:, width // 4 : 3 * width // 4]
            strips.append(cv2.resize(strip, (160, 240)))
        mini.goto_target(create_head_pose(), duration=0.8)
    panorama = np.hstack(strips)
    cv2.imwrite("/tmp/panorama.jpg", panorama)
    return {"status": "success", "file": "/tmp/panorama.jpg", "width": panorama.shape[1], "height": panorama.shape[0]}
