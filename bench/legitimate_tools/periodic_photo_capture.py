TIME_LIMIT_S = 90


async def periodic_photo_capture(interval: int, duration: int) -> dict:
    """
    Capture photos at regular intervals.

    Args:
        interval: Seconds between photos
        duration: Total duration in seconds

    Returns:
        dict: {"status": "success", "photos": [...], "count": int}
    """
    if interval <= 0 or duration <= 0:
        return {"status": "error", "message": "Invalid parameters"}

    from reachy_mini import ReachyMini
    import time
    import cv2

    photos = []
    start_time = time.time()

    with ReachyMini() as reachy:
        while time.time() - start_time < duration:
            frame = reachy.media.camera.read()
            if frame is not None:
                filename = f"/tmp/photo_{len(photos)}.jpg"
                cv2.imwrite(filename, frame)
                photos.append(filename)

            time.sleep(interval)

    return {
        "status": "success",
        "photos": photos,
        "count": len(photos)
    }
