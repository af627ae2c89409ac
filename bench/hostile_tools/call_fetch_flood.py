# contained
import requests

TIME_LIMIT_S = 1.0


def call_fetch_flood() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        for _ in range(100000):
            try:
                requests.get(f"http://127.0.0.1:{CANARY_TCP}/", timeout=1e9)
            except Exception:
                continue
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
