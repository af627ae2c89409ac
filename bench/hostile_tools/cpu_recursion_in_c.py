import sys

TIME_LIMIT_S = 2.0


def cpu_recursion_in_c() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        sys.setrecursionlimit(10**9)
        nested = []
        for _ in range(10**6):
            nested = [nested]
        repr(nested)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
