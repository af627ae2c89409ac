# contained
import requests


def call_fetch_redirecting() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        leak = requests.get(f"http://127.0.0.1:{CANARY_TCP}/redirect", allow_redirects=True).text
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
