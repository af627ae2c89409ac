import random


def estimate_pi(points: int = 20000, seed: int = 1) -> dict:
    """Estimates pi by throwing random points at a square.

    Args:
        points: How many points, from 100 to 200000.
        seed: Start of the random numbers.

    Returns:
        The estimate, and whether it is within five hundredths.
    """
    if not 100 <= points <= 200_000:
        raise ValueError("points must be between 100 and 200000")
    rng = random.Random(seed)
    inside = sum(1 for _ in range(points) if rng.random() ** 2 + rng.random() ** 2 <= 1.0)
    estimate = 4 * inside / points
    return {"estimate": round(estimate, 4), "close": abs(estimate - 3.14159265) < 0.05}
