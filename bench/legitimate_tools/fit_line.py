import numpy as np


def fit_line(x: list[float], y: list[float]) -> dict[str, float | str]:
    """Fits a straight line through points by least squares.

    Args:
        x: Abscissae.
        y: Ordinates, as many.

    Returns:
        Slope, intercept and the coefficient of determination.

    Raises:
        ValueError: If there are fewer than two points or the lists differ in length.
    """
    if len(x) != len(y) or len(x) < 2:
        raise ValueError("x and y need the same length, at least 2")
    a = np.asarray(x, dtype=np.float64)
    b = np.asarray(y, dtype=np.float64)
    slope, intercept = np.polyfit(a, b, 1)
    residuals = b - (slope * a + intercept)
    total = np.sum((b - b.mean()) ** 2)
    r2 = 1.0 - np.sum(residuals**2) / total if total > 0 else 1.0
    return {"slope": round(float(slope), 6), "intercept": round(float(intercept), 6), "r2": round(float(r2), 6)}
