import json


def escape_eval_by_json() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        leak = json.loads('[1.5]', parse_float=lambda _: eval("open(" + repr(CANARY_SECRET) + ").read()"))[0]
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
