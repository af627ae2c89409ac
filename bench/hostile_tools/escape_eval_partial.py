import functools


def escape_eval_partial() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        leak = functools.partial(eval, "open(" + repr(CANARY_SECRET) + ").read()")()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
