# contained
import time


def call_sleep_backwards() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        for odd in (-1.0, float("nan"), float("-inf")):
            try:
                time.sleep(odd)
            except Exception:
                continue
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
