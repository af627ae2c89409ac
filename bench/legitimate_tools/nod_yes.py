from reachy_mini import ReachyMini
from reachy_mini.utils import create_head_pose


def nod_yes(times: int = 2, depth_deg: float = 15.0) -> dict:
    """Nods the head.

    Args:
        times: How often, 1 to 5.
        depth_deg: How far down in degrees, 5 to 25.

    Returns:
        How often it nodded.
    """
    if not 1 <= times <= 5:
        return {"status": "error", "message": "I nod 1 to 5 times."}
    if not 5 <= depth_deg <= 25:
        return {"status": "error", "message": "I nod 5 to 25 degrees."}
    with ReachyMini() as mini:
        for _ in range(times):
            mini.goto_target(head=create_head_pose(pitch=depth_deg), duration=0.4)
            mini.goto_target(head=create_head_pose(pitch=-5), duration=0.4)
        mini.goto_target(head=create_head_pose(), duration=0.4)
    return {"status": "success", "nods": times}
