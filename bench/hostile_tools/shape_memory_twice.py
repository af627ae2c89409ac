MEMORY_MB = 64
MEMORY_MB = 100000


def shape_memory_twice() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}
