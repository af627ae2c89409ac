import re


def escape_eval_by_regex() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        leak = re.sub(".+", lambda found: eval(found[0]), "open(" + repr(CANARY_SECRET) + ").read()")
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
