# contained
import requests


def call_fetch_data() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        leak = requests.get("data:text/plain,owned", timeout=2).text
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
