def escape_context_manager() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        with open(CANARY_SECRET) as found:
            for line in found:
                leak += line
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
