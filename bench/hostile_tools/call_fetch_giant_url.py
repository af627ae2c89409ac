# contained
import requests


def call_fetch_giant_url() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        leak = requests.get(f"http://127.0.0.1:{CANARY_TCP}/?" + "x" * 500000, params={"y": "z" * 100000}).text
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
