MEMORY_MB = 10**9


def shape_all_memory() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}
