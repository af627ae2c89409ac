from collections import deque
from statistics import fmean
from typing import Dict, List


def moving_average(values: List[float], window: int = 3) -> Dict[str, List[float]]:
    """Computes the moving average of a list.

    Args:
        values: The numbers.
        window: How many to average over.

    Returns:
        The averages, one for each full window.
    """
    if window < 1 or window > len(values):
        raise ValueError(f"window {window} does not fit {len(values)} values")
    recent: deque[float] = deque(maxlen=window)
    averages: List[float] = []
    for value in values:
        recent.append(value)
        if len(recent) == window:
            averages.append(fmean(recent))
    return {"averages": averages}
