from reachy_mini import ReachyMini

POINTS = [(0.6, 0.25, 0.1), (0.6, 0.0, 0.2), (0.6, -0.25, 0.1), (0.6, 0.0, 0.05)]


def look_around(rounds: int = 1, pace: float = 1.0) -> dict:
    """Looks at a few points around the desk, one after the other.

    Args:
        rounds: How many rounds, 1 or 2.
        pace: Seconds for each look, 0.8 to 3.

    Returns:
        The points that were looked at, in metres.
    """
    if rounds not in (1, 2) or not 0.8 <= pace <= 3:
        return {"status": "error", "message": "1 or 2 rounds at 0.8 to 3 s a look"}
    looked = []
    with ReachyMini() as mini:
        for x, y, z in POINTS * rounds:
            pose = mini.look_at_world(x, y, z, duration=pace)
            looked.append({"point": [x, y, z], "pose_ok": pose.shape == (4, 4)})
    return {"status": "success", "looks": len(looked), "all_ok": all(look["pose_ok"] for look in looked)}
