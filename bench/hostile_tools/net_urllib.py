import urllib.request


def net_urllib() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        leak = urllib.request.urlopen(f"http://127.0.0.1:{CANARY_TCP}/", timeout=2).read().decode()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
