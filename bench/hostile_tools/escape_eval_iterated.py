def escape_eval_iterated() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        leak = next(iter(functools_free := lambda: eval("open(" + repr(CANARY_SECRET) + ").read()"), None))
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
