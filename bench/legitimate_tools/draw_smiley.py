import cv2
import numpy as np


def draw_smiley(size: int = 200, happy: bool = True) -> dict:
    """Draws a smiley, keeps it in a scratch file, and reads it back.

    Args:
        size: Width and height in pixels, from 32 to 1000.
        happy: Whether it smiles.

    Returns:
        Size of the picture and the share of yellow pixels.
    """
    if not 32 <= size <= 1000:
        return {"status": "error", "message": "size goes from 32 to 1000"}
    canvas = np.zeros((size, size, 3), dtype=np.uint8)
    centre = (size // 2, size // 2)
    cv2.circle(canvas, centre, int(size * 0.45), (0, 255, 255), -1)
    for side in (-1, 1):
        cv2.circle(canvas, (centre[0] + side * size // 6, int(size * 0.4)), size // 16, (0, 0, 0), thickness=-1)
    start, end = (20, 160) if happy else (200, 340)
    mouth = (centre[0], int(size * (0.55 if happy else 0.75)))
    cv2.ellipse(canvas, mouth, (size // 5, size // 6), 0, start, end, (0, 0, 0), 3, lineType=cv2.LINE_AA)
    cv2.imwrite("/tmp/smiley.png", canvas)
    again = cv2.imread("/tmp/smiley.png")
    yellow = np.all(again == (0, 255, 255), axis=2).mean()
    return {"status": "success", "shape": list(again.shape), "yellow": round(float(yellow), 1), "same": bool((again == canvas).all())}
