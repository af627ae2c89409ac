def _cross(o, a, b):
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])


def _half(points):
    chain = []
    for point in points:
        while len(chain) >= 2 and _cross(chain[-2], chain[-1], point) <= 0:
            chain.pop()
        chain.append(point)
    return chain[:-1]


def polygon_area(points: list[list[float]]) -> dict:
    """Computes the convex hull of points in the plane and its area.

    Args:
        points: Points as [x, y].

    Returns:
        The hull's corners, counter-clockwise, and its area.
    """
    if any(len(point) != 2 for point in points):
        return {"status": "error", "message": "every point is [x, y]"}
    unique = sorted({(x, y) for x, y in points})
    if len(unique) < 3:
        return {"status": "error", "message": "three different points at least"}
    hull = _half(unique) + _half(unique[::-1])
    area = 0.5 * abs(sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(hull, hull[1:] + hull[:1])))
    return {"status": "success", "hull": [list(p) for p in hull], "area": area}
