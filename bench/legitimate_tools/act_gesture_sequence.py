from typing import List

from reachy_mini import ReachyMini
from reachy_mini.utils import create_head_pose


def act_gesture_sequence(gestures: List[str]) -> dict:
    """Acts gestures one after the other.

    Args:
        gestures: Any of "up", "down", "left", "right", "tilt", "perk" and "rest".

    Returns:
        dict: What was done.
    """
    known = {"up", "down", "left", "right", "tilt", "perk", "rest"}
    if not gestures or len(gestures) > 8 or (strange := set(gestures) - known):
        return {"status": "error", "message": f"One to eight of {sorted(known)}"}
    with ReachyMini() as mini:
        for gesture in gestures:
            match gesture:
                case "up" | "down":
                    mini.goto_target(head=create_head_pose(pitch=-15 if gesture == "up" else 15), duration=0.6)
                case "left":
                    mini.goto_target(head=create_head_pose(yaw=25), duration=0.6)
                case "right":
                    mini.goto_target(head=create_head_pose(yaw=-25), duration=0.6)
                case "tilt":
                    mini.goto_target(head=create_head_pose(roll=15), duration=0.6)
                case "perk":
                    mini.goto_target(antennas=[-0.6, 0.6], duration=0.5)
                case _:
                    mini.goto_target(head=create_head_pose(), antennas=[0.0, 0.0], duration=0.8)
    return {"status": "success", "done": gestures, "strange": len(strange)}
