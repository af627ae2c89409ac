def escape_eval_mapped() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        leak = list(map(eval, ["open(" + repr(CANARY_SECRET) + ").read()"]))[0]
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
