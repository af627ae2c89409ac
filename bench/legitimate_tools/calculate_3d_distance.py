import numpy as np

def calculate_3d_distance(
    x1: float, y1: float, z1: float,
    x2: float, y2: float, z2: float
) -> dict:
    """Calculate Euclidean distance between two 3D points.

    Args:
        x1: First coordinate of the first point
        y1: Second coordinate of the first point
        z1: Third coordinate of the first point
        x2: First coordinate of the second point
        y2: Second coordinate of the second point
        z2: Third coordinate of the second point

    Returns:
        Euclidean distance between the points
    """
    dx = x2 - x1
    dy = y2 - y1
    dz = z2 - z1
    return {"status": "success", "distance": float(np.sqrt(dx**2 + dy**2 + dz**2))}
