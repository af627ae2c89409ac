# contained
def cpu_recursive_comparison() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        one, other = [], []
        for _ in range(10**5):
            one, other = [one], [other]
        one == other
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
