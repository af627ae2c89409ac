import json

TIME_LIMIT_S = 0.5


def cpu_json() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        while True:
            json.loads("[" * 900 + "]" * 900)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
