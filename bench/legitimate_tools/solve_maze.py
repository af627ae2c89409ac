from collections import deque


def solve_maze(rows: list[str]) -> dict:
    """Finds the shortest way through a maze from S to G.

    Args:
        rows: Lines of the maze: "#" is a wall, "." is free.

    Returns:
        The moves as letters U, D, L, R and their number.
    """
    cells = {(r, c): ch for r, line in enumerate(rows) for c, ch in enumerate(line)}
    start = next((cell for cell, ch in cells.items() if ch == "S"), None)
    goal = next((cell for cell, ch in cells.items() if ch == "G"), None)
    if start is None or goal is None:
        return {"status": "error", "message": "The maze needs S and G."}
    queue, seen = deque([(start, "")]), {start}
    while queue:
        (r, c), way = queue.popleft()
        if (r, c) == goal:
            return {"status": "success", "moves": way, "steps": len(way)}
        for letter, dr, dc in (("U", -1, 0), ("D", 1, 0), ("L", 0, -1), ("R", 0, 1)):
            step = (r + dr, c + dc)
            if cells.get(step, "#") != "#" and step not in seen:
                seen.add(step)
                queue.append((step, way + letter))
    return {"status": "success", "moves": None, "steps": -1}
