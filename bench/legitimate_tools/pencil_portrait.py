from reachy_mini import ReachyMini
import cv2


def pencil_portrait(strength: int = 21) -> dict:
    """Takes a picture and turns it into a pencil drawing.

    Args:
        strength: Softness of the strokes, an odd number from 3 to 99.

    Returns:
        Where the drawing is, and its size.
    """
    if strength % 2 == 0 or strength < 3 or strength > 99:
        return {"status": "error", "message": f"strength must be odd and between 3 and 99, not {strength}"}
    with ReachyMini() as mini:
        frame = mini.media.get_frame()
    if frame is None:
        return {"status": "error", "message": "The camera gave no picture."}
    grey = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
    blurred = cv2.GaussianBlur(cv2.bitwise_not(grey), (strength, strength), 0)
    drawing = cv2.divide(grey, 255 - blurred, scale=256)
    path = "/tmp/portrait.png"
    if not cv2.imwrite(path, drawing):
        return {"status": "error", "message": "The drawing could not be kept."}
    height, width = drawing.shape
    return {"status": "success", "path": path, "landscape": width > height}
