import numpy as np
from reachy_mini import ReachyMini
from reachy_mini.utils import create_head_pose
import time


def _smoothstep(s: np.ndarray) -> np.ndarray:
    return s * s * s * (10 - 15 * s + 6 * s * s)


def smooth_head_path(waypoints_deg: list[list[float]], seconds_each: float = 1.0) -> dict:
    """Moves the head through waypoints without a jerk.

    Args:
        waypoints_deg: Waypoints as [pitch, yaw] in degrees.
        seconds_each: Time from one to the next, 0.8 to 3.

    Returns:
        dict: How many targets were streamed.
    """
    points = [(0.0, 0.0)] + [tuple(p) for p in waypoints_deg] + [(0.0, 0.0)]
    if not waypoints_deg or len(waypoints_deg) > 5 or any(len(p) != 2 for p in points):
        return {"status": "error", "message": "one to five [pitch, yaw] waypoints"}
    if any(abs(pitch) > 20 or abs(yaw) > 30 for pitch, yaw in points) or not 0.8 <= seconds_each <= 3:
        return {"status": "error", "message": "pitch within 20, yaw within 30 degrees, 0.8 to 3 s each"}
    steps = int(seconds_each * 50)
    share = _smoothstep(np.linspace(0, 1, steps, endpoint=False))[:, None]
    legs = [np.array(a) + share * (np.array(b) - np.array(a)) for a, b in zip(points, points[1:])]
    path = np.concatenate(legs)
    with ReachyMini() as mini:
        for pitch, yaw in path:
            mini.set_target(head=create_head_pose(pitch=float(pitch), yaw=float(yaw)))
            time.sleep(1 / 50)
    return {"status": "success", "targets": int(path.shape[0])}
