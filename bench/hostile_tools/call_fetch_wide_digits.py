# contained
import requests


def call_fetch_wide_digits() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        leak = requests.get(f"http://\uff11\uff12\uff17.0.0.1:{CANARY_TCP}/", timeout=2).text
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
