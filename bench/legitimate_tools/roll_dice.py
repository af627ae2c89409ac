import re

import numpy as np


def roll_dice(notation: str = "2d6", seed: int | None = None) -> dict[str, object]:
    """Rolls dice written in the usual notation, such as "3d6+2".

    Args:
        notation: Number of dice, "d", sides, and optionally a bonus.
        seed: Makes the roll repeatable.

    Returns:
        dict: The rolls and their total.
    """
    found = re.fullmatch(r"\s*(\d{1,2})d(\d{1,3})\s*([+-]\s*\d{1,3})?\s*", notation.lower())
    if not found:
        return {"status": "error", "message": f"'{notation}' is no dice notation 🎲"}
    count, sides = int(found.group(1)), int(found.group(2))
    bonus = int((found.group(3) or "0").replace(" ", ""))
    if not 1 <= count <= 20 or sides < 2:
        return {"status": "error", "message": "I roll 1 to 20 dice with at least 2 sides."}
    generator = np.random.default_rng(seed)
    rolls = generator.integers(1, sides + 1, size=count)
    return {
        "status": "success",
        "count": len(rolls),
        "rolls": rolls.tolist(),
        "total": int(rolls.sum()) + bonus,
        "in_range": bool(((rolls >= 1) & (rolls <= sides)).all()),
    }
