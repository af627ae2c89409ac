# contained
import requests


def call_fetch_rebinding_plain() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        leak = requests.get("http://api.open-meteo.com/", timeout=2).text
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
