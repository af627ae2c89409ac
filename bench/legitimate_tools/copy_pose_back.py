from reachy_mini import ReachyMini
from reachy_mini.utils import create_head_pose


def copy_pose_back(roll: float = 10.0) -> dict:
    """Remembers how the head stands, tilts it, and puts it back exactly.

    Args:
        roll: Tilt in degrees, -20 to 20.

    Returns:
        How far the head is from where it was, in metres.
    """
    if abs(roll) > 20:
        raise ValueError(f"roll {roll:+.0f} is beyond ±20 degrees")
    reachy = ReachyMini()
    before = reachy.get_current_head_pose()
    reachy.goto_target(head=create_head_pose(roll=roll), duration=0.7)
    reachy.goto_target(head=before, duration=0.7)
    after = reachy.get_current_head_pose()
    offset = float(((after[:3, 3] - before[:3, 3]) ** 2).sum() ** 0.5)
    return {"status": "success", "back": offset < 0.005, "offset_m": round(offset, 4)}
