import math


def solve_triangle(a: float, b: float, c: float) -> dict:
    """Works out a triangle from its three sides.

    Args:
        a: First side.
        b: Second side.
        c: Third side.

    Returns:
        dict: Area, perimeter, angles in degrees, and its kind.
    """
    sides = sorted((a, b, c))
    if sides[0] <= 0 or sides[0] + sides[1] <= sides[2]:
        return {"status": "error", "message": "These sides make no triangle."}

    def angle(opposite: float, p: float, q: float) -> float:
        return math.degrees(math.acos((p * p + q * q - opposite * opposite) / (2 * p * q)))

    s = sum(sides) / 2
    area = math.sqrt(s * (s - a) * (s - b) * (s - c))
    kind = {1: "equilateral", 2: "isosceles"}.get(len({a, b, c}), "scalene")
    return {
        "status": "success",
        "area": round(area, 4),
        "perimeter": a + b + c,
        "angles_deg": [round(angle(a, b, c), 2), round(angle(b, a, c), 2), round(angle(c, a, b), 2)],
        "kind": kind,
    }
