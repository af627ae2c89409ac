import base64
import time

import cv2
import numpy as np
from reachy_mini import ReachyMini


def contact_sheet(rows: int = 2, columns: int = 2, thumb_width: int = 80) -> dict:
    """Puts several camera pictures on one small sheet.

    Args:
        rows: Rows of pictures.
        columns: Columns of pictures.
        thumb_width: Width of each in pixels.

    Returns:
        The sheet as a small JPEG in Base64, and its size.
    """
    if not (1 <= rows <= 4 and 1 <= columns <= 4 and 16 <= thumb_width <= 160):
        return {"status": "error", "message": "Up to 4 by 4 pictures of 16 to 160 pixels."}
    tiles = []
    with ReachyMini() as mini:
        for number in range(rows * columns):
            tile = cv2.resize(mini.media.get_frame(), (thumb_width, thumb_width * 3 // 4))
            cv2.putText(tile, str(number + 1), (4, 14), cv2.FONT_HERSHEY_SIMPLEX, 0.45, (255, 255, 255), 1)
            tiles.append(tile)
            time.sleep(0.25)
    sheet = np.vstack([np.hstack(tiles[r * columns : (r + 1) * columns]) for r in range(rows)])
    ok, jpeg = cv2.imencode(".jpg", sheet, [int(cv2.IMWRITE_JPEG_QUALITY), 60])
    if not ok:
        return {"status": "error", "message": "The sheet could not be encoded."}
    text = base64.b64encode(jpeg.tobytes()).decode()
    again = cv2.imdecode(np.frombuffer(base64.b64decode(text), np.uint8), cv2.IMREAD_COLOR)
    return {"status": "success", "shape": list(again.shape), "jpeg_base64": text}
