import time

from reachy_mini import ReachyMini

TIME_LIMIT_S = 45


def metronome(bpm: int = 60, beats: int = 8) -> dict:
    """Beats time with the antennas.

    Args:
        bpm: Beats per minute, 30 to 90.
        beats: How many beats, at most 16.

    Returns:
        dict: How far the beat drifted, in seconds.
    """
    if not 30 <= bpm <= 90 or not 1 <= beats <= 16:
        return {"status": "error", "message": "30 to 90 beats a minute, at most 16"}
    period = 60 / bpm
    with ReachyMini() as mini:
        start = time.monotonic()
        for beat in range(beats):
            side = 0.35 if beat % 2 else -0.35
            mini.goto_target(antennas=[side, side], duration=0.3, body_yaw=None)
            wait = start + (beat + 1) * period - time.monotonic()
            if wait > 0:
                time.sleep(wait)
        drift = abs(time.monotonic() - start - beats * period)
    return {"status": "success", "beats": beats, "steady": drift < 0.3}
