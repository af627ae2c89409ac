import cv2
from reachy_mini import ReachyMini

RAMP = " .:-=+*#%@"


def ascii_view(columns: int = 40) -> dict:
    """Shows the camera picture in characters.

    Args:
        columns: Width in characters, 10 to 120.

    Returns:
        dict: The lines.
    """
    if not 10 <= columns <= 120:
        return {"status": "error", "message": "10 to 120 columns"}
    with ReachyMini() as mini:
        frame = mini.media.get_frame()
    rows = max(1, int(columns * frame.shape[0] / frame.shape[1] * 0.5))
    grey = cv2.resize(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), (columns, rows))
    lines = ["".join(RAMP[int(v) * (len(RAMP) - 1) // 255] for v in row) for row in grey]
    print("\n".join(lines))
    return {"status": "success", "columns": len(lines[0]), "rows_ok": len(lines) == rows, "lines": lines}
