import numpy as np


async def measure_brightness(samples: int = 3) -> dict:
    """Measure how bright it is in front of the robot.

    Args:
        samples: Number of frames to average, 1 to 30.

    Returns:
        dict: mean brightness from 0 to 255 and a word for it
    """
    import asyncio
    from reachy_mini import ReachyMini

    if samples < 1 or samples > 30:
        return {"status": "error", "message": "samples must be 1..30"}

    levels = []
    with ReachyMini() as mini:
        for _ in range(samples):
            frame = mini.media.get_frame()
            if frame is not None:
                levels.append(float(np.mean(frame)))
            await asyncio.sleep(0.1)

    if not levels:
        return {"status": "error", "message": "no frame"}
    mean = sum(levels) / len(levels)
    word = "dark" if mean < 60 else "dim" if mean < 110 else "bright" if mean < 200 else "glaring"
    return {"status": "success", "frames": len(levels), "in_range": 0 <= mean <= 255, "brightness": round(mean, 1), "word": word}
