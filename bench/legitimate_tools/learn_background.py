import asyncio

import cv2
from reachy_mini import ReachyMini


async def learn_background(frames: int = 20) -> dict[str, float | str | int]:
    """Learns the background and tells how much of the last picture is new.

    Args:
        frames: How many frames to learn from, 5 to 60.

    Returns:
        Share of foreground in the last frame.
    """
    if not 5 <= frames <= 60:
        return {"status": "error", "message": "5 to 60 frames"}
    subtractor = cv2.createBackgroundSubtractorMOG2(history=frames, varThreshold=32, detectShadows=False)
    mask = None
    with ReachyMini() as mini:
        for _ in range(frames):
            mask = subtractor.apply(mini.media.get_frame())
            await asyncio.sleep(1 / 25)
    assert mask is not None
    share = cv2.countNonZero(mask) / mask.size
    return {"status": "success", "frames": frames, "foreground": round(share, 2)}
