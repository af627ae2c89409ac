from functools import lru_cache
from typing import Any, Dict, List


def spelling_suggestions(word: str, dictionary: List[str], limit: int = 3) -> Dict[str, Any]:
    """Suggests how a word may have been meant, by edit distance.

    Args:
        word: The word as written.
        dictionary: Words that are right.
        limit: How many suggestions to give.

    Returns:
        Suggestions, the nearest first, with their distances.
    """
    if len(word) > 40:
        return {"status": "error", "message": "that is a long word"}

    @lru_cache(maxsize=None)
    def distance(a: str, b: str) -> int:
        if not a or not b:
            return len(a) or len(b)
        if a[0] == b[0]:
            return distance(a[1:], b[1:])
        return 1 + min(distance(a[1:], b), distance(a, b[1:]), distance(a[1:], b[1:]))

    scored = sorted(((distance(word.lower(), known.lower()), known) for known in dictionary))
    return {"status": "success", "suggestions": [{"word": w, "distance": d} for d, w in scored[:limit]]}
