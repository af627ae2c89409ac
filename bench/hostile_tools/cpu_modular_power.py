TIME_LIMIT_S = 0.5


def cpu_modular_power() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        pow(3, 1 << 4_000_000, (1 << 4_000_000) - 1)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
