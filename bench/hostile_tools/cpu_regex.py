import re

TIME_LIMIT_S = 0.5


def cpu_regex() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        re.match(r"(a+)+$", "a" * 64 + "b")
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
