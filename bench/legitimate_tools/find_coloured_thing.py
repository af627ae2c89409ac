from typing import Literal

import cv2
import numpy as np
from reachy_mini import ReachyMini

RANGES = {
    "red": [((0, 120, 70), (10, 255, 255)), ((170, 120, 70), (180, 255, 255))],
    "green": [((40, 80, 50), (85, 255, 255))],
    "blue": [((95, 100, 50), (130, 255, 255))],
    "yellow": [((20, 110, 90), (35, 255, 255))],
}


def find_coloured_thing(colour: Literal["red", "green", "blue", "yellow"]) -> dict:
    """Looks for the largest thing of a colour in the camera picture.

    Args:
        colour: Its colour.

    Returns:
        Whether there is one, and its centre and area as shares of the picture.
    """
    if colour not in RANGES:
        return {"status": "error", "message": f"I know {', '.join(RANGES)}."}
    with ReachyMini() as mini:
        frame = mini.media.get_frame()
    hsv = cv2.cvtColor(frame, cv2.COLOR_BGR2HSV)
    mask = np.zeros(hsv.shape[:2], dtype=np.uint8)
    for low, high in RANGES[colour]:
        mask |= cv2.inRange(hsv, np.array(low), np.array(high))
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not contours:
        return {"status": "success", "colour": colour, "found": False}
    largest = max(contours, key=cv2.contourArea)
    moments = cv2.moments(largest)
    height, width = mask.shape
    if moments["m00"] == 0:
        return {"status": "success", "colour": colour, "found": False}
    centre = [round(moments["m10"] / moments["m00"] / width, 3), round(moments["m01"] / moments["m00"] / height, 3)]
    x, y, w, h = cv2.boundingRect(largest)
    return {"status": "success", "colour": colour, "found": True, "centre": centre, "box": [x, y, w, h]}
