import cv2
import numpy as np


def _scene(circles: int, squares: int, triangles: int) -> np.ndarray:
    image = np.full((120, 60 * max(1, circles + squares + triangles), 3), 255, np.uint8)
    x = 30
    for _ in range(circles):
        cv2.circle(image, (x, 60), 20, (200, 30, 30), -1)
        x += 60
    for _ in range(squares):
        cv2.rectangle(image, (x - 18, 42), (x + 18, 78), (30, 160, 30), -1)
        x += 60
    for _ in range(triangles):
        corners = np.array([[x, 40], [x - 20, 78], [x + 20, 78]], np.int32)
        cv2.fillPoly(image, [corners], (30, 30, 200))
        x += 60
    return image


def count_shapes(circles: int, squares: int, triangles: int) -> dict[str, int | str]:
    """Draws shapes and counts them again by their contours.

    Args:
        circles: How many circles to draw.
        squares: How many squares to draw.
        triangles: How many triangles to draw.

    Returns:
        What was counted.
    """
    if min(circles, squares, triangles) < 0 or circles + squares + triangles > 20:
        return {"status": "error", "message": "0 to 20 shapes"}
    grey = cv2.cvtColor(_scene(circles, squares, triangles), cv2.COLOR_BGR2GRAY)
    _, mask = cv2.threshold(grey, 200, 255, cv2.THRESH_BINARY_INV)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    counted = {"circles": 0, "squares": 0, "triangles": 0}
    for contour in contours:
        outline = cv2.approxPolyDP(contour, 0.04 * cv2.arcLength(contour, True), True)
        corners = len(outline)
        kind = "triangles" if corners == 3 else "squares" if corners == 4 else "circles"
        counted[kind] += 1
    return {"status": "success", **counted}
