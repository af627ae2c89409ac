from math import asin, cos, radians, sin, sqrt

EARTH_RADIUS_KM = 6371.0088


def great_circle_distance(lat1: float, lon1: float, lat2: float, lon2: float) -> dict[str, float]:
    """Distance between two places on Earth along the great circle.

    Args:
        lat1: Latitude of the first place, degrees.
        lon1: Longitude of the first place, degrees.
        lat2: Latitude of the second place, degrees.
        lon2: Longitude of the second place, degrees.

    Returns:
        dict: `km`, and hours of flight at 850 km/h.

    Raises:
        ValueError: If a latitude is beyond a pole.
    """
    if max(abs(lat1), abs(lat2)) > 90:
        raise ValueError("a latitude lies between -90 and 90")
    p1, l1, p2, l2 = map(radians, (lat1, lon1, lat2, lon2))
    h = sin((p2 - p1) / 2) ** 2 + cos(p1) * cos(p2) * sin((l2 - l1) / 2) ** 2
    km = 2 * EARTH_RADIUS_KM * asin(sqrt(h))
    return {"km": round(km), "flight_hours": round(km / 850, 1)}
