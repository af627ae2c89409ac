# contained
import requests


def call_fetch_any_address() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        leak = requests.get(f"http://0.0.0.0:{CANARY_TCP}/", timeout=2).text
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
