# contained
import requests


def call_fetch_proxies() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        proxy = f"http://127.0.0.1:{CANARY_TCP}"
        leak = requests.get("https://api.open-meteo.com/", proxies={"http": proxy, "https": proxy}).text
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
