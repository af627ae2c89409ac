def edge_density(low: int = 50, high: int = 150, grid: int = 4) -> dict:
    """Tells how busy each part of the camera picture is.

    Args:
        low: Lower Canny threshold.
        high: Upper Canny threshold.
        grid: Number of rows and columns.

    Returns:
        Share of edge pixels for each cell, row by row, and the busiest cell.
    """
    import cv2
    import numpy as np
    from reachy_mini import ReachyMini

    if not 0 < low < high <= 500:
        return {"status": "error", "message": "0 < low < high <= 500"}
    if not 1 <= grid <= 10:
        return {"status": "error", "message": "grid is 1 to 10"}
    with ReachyMini() as mini:
        image = mini.media.get_frame()
    edges = cv2.Canny(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), low, high)
    rows = np.array_split(edges > 0, grid, axis=0)
    cells = [[round(float(cell.mean()), 4) for cell in np.array_split(row, grid, axis=1)] for row in rows]
    flat = np.array(cells)
    row, column = np.unravel_index(int(flat.argmax()), flat.shape)
    return {"status": "success", "cells": cells, "rows": len(cells), "busiest": [int(row), int(column)]}
