# contained
import requests


def call_fetch_line_in_url() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        leak = requests.get(f"http://127.0.0.1:{CANARY_TCP}/ HTTP/1.1\r\nX-Owned: 1\r\n\r\nGET /second", timeout=2).text
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
