from reachy_agent import say, take_photo
from reachy_mini import ReachyMini
from reachy_mini.utils import create_head_pose
import time


def photo_with_flash_pose(warning: str = "Cheese! 📸", delay: float = 1.0) -> dict:
    """Poses, warns, and takes a photo.

    Args:
        warning: What to say before the photo.
        delay: Seconds between the warning and the photo.

    Returns:
        The photo's path and size.
    """
    if delay < 0 or delay > 5:
        return {"status": "error", "message": "delay is 0 to 5 s"}
    with ReachyMini() as mini:
        mini.goto_target(head=create_head_pose(z=8, pitch=-5, mm=True), antennas=[-0.3, 0.3], duration=0.8)
        if warning:
            say(warning)
        time.sleep(delay)
        photo = take_photo()
        mini.goto_target(head=create_head_pose(), antennas=[0.0, 0.0], duration=0.8)
    return {"status": "success", "has_path": bool(photo["path"]), "wide": photo["width"] >= photo["height"]}
