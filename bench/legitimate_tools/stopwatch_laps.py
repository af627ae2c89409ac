import time
from datetime import timedelta


def stopwatch_laps(laps: list[float]) -> dict:
    """Waits through laps and takes their times.

    Args:
        laps: Length of each lap in seconds.

    Returns:
        The laps and the total as minutes and seconds.
    """
    if not laps or min(laps) <= 0 or sum(laps) > 9:
        return {"status": "error", "message": "laps above 0 s, 9 s together"}
    times = []
    mark = first = time.monotonic()
    for lap in laps:
        time.sleep(lap)
        now = time.monotonic()
        times.append(round(now - mark, 1))
        mark = now
    total = timedelta(seconds=round(mark - first))
    return {"status": "success", "times": times, "total": str(total), "fastest": times.index(min(times))}
