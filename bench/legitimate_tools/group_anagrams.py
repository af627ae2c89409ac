from collections import defaultdict


def group_anagrams(words: list[str]) -> dict:
    """Groups words that are made of the same letters.

    Args:
        words: The words.

    Returns:
        Groups of two or more, each sorted.
    """
    if not words:
        return {"status": "error", "message": "There are no words."}
    groups = defaultdict(set)
    for word in words:
        groups["".join(sorted(word.lower()))].add(word.lower())
    found = sorted(sorted(group) for group in groups.values() if len(group) > 1)
    return {"status": "success", "groups": found, "count": len(found)}
