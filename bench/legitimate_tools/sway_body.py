import numpy as np
from reachy_mini import ReachyMini


def sway_body(degrees: float = 20, beats: int = 4, tempo_bpm: int = 60) -> dict:
    """Sways the body from side to side to a beat.

    Args:
        degrees: How far to each side, up to 40.
        beats: Number of beats, up to 16.
        tempo_bpm: Beats per minute, 40 to 80.

    Returns:
        dict: Beats that were danced.
    """
    if not (0 < degrees <= 40 and 1 <= beats <= 16 and 40 <= tempo_bpm <= 80):
        return {"status": "error", "message": "degrees ≤ 40, beats ≤ 16, 40 ≤ tempo ≤ 80"}
    beat = 60.0 / tempo_bpm
    with ReachyMini() as mini:
        for n in range(beats):
            target = np.deg2rad(degrees if n % 2 == 0 else -degrees)
            mini.goto_target(body_yaw=float(target), duration=beat, method="minjerk")
        mini.goto_target(body_yaw=0.0, duration=beat)
    return {"status": "success", "beats": beats, "seconds": round(beats * beat, 1)}
