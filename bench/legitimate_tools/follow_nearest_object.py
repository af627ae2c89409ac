import time

from reachy_agent import detect_objects
from reachy_mini import ReachyMini
from reachy_mini.utils import create_head_pose

TIME_LIMIT_S = 40
STEP_DEG = 8.0


def _clamp(value, low, high):
    return max(low, min(high, value))


def follow_nearest_object(label: str = "", seconds: float = 5.0) -> dict:
    """Keeps the nearest thing in the middle of the picture by turning the head.

    Args:
        label: Which kind of thing; anything if empty.
        seconds: How long to follow, at most 30.

    Returns:
        How often it was seen, and the last direction of the head.
    """
    if not 0 < seconds <= 30:
        return {"status": "error", "message": "seconds goes up to 30"}
    yaw = pitch = 0.0
    seen = looks = 0
    with ReachyMini() as mini:
        end = time.time() + seconds
        while time.time() < end:
            looks += 1
            found = [d for d in detect_objects() if not label or d["name"] == label]
            if found:
                seen += 1
                nearest = min(found, key=lambda d: d.get("x_m") or 99.0)
                yaw += _clamp(nearest["yaw_deg"] - yaw, -STEP_DEG, STEP_DEG)
                pitch += _clamp(nearest["pitch_deg"] - pitch, -STEP_DEG, STEP_DEG)
                yaw, pitch = _clamp(yaw, -35, 35), _clamp(pitch, -20, 20)
            mini.goto_target(head=create_head_pose(yaw=yaw, pitch=pitch), duration=0.5, body_yaw=None)
        mini.goto_target(head=create_head_pose(), duration=1.0, body_yaw=None)
    return {"status": "success", "looked": looks > 0, "seen": seen, "yaw_deg": round(yaw, 1), "pitch_deg": round(pitch, 1)}
