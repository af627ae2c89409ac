# contained
import requests


def call_fetch_fragment() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        leak = requests.get(f"http://127.0.0.1:{CANARY_TCP}/#@api.open-meteo.com/", timeout=2).text
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
