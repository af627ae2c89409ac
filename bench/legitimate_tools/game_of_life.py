import numpy as np


def game_of_life(pattern: list[str], generations: int = 1) -> dict:
    """Runs Conway's Game of Life on a small torus.

    Args:
        pattern: Rows of "." and "O".
        generations: How many steps, at most 500.

    Returns:
        The pattern afterwards and the number of living cells.
    """
    if not pattern or len(set(map(len, pattern))) != 1 or not 0 <= generations <= 500:
        return {"status": "error", "message": "equal rows and 0 to 500 generations, please"}
    grid = np.array([[c == "O" for c in row] for row in pattern], dtype=np.int8)
    for _ in range(generations):
        around = sum(
            np.roll(grid, (dy, dx), axis=(0, 1)) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if (dy, dx) != (0, 0)
        )
        grid = ((around == 3) | ((grid == 1) & (around == 2))).astype(np.int8)
    rows = ["".join("O" if cell else "." for cell in row) for row in grid]
    return {"status": "success", "pattern": rows, "alive": int(grid.sum())}
