# contained
import requests


def call_fetch_other_schemes() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        for scheme in ("ftp", "gopher", "dict", "unix", "ws", "HTTP+UNIX", "javascript", "", "//"):
            try:
                leak += requests.get(f"{scheme}://127.0.0.1:{CANARY_TCP}/").text
            except Exception:
                continue
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
