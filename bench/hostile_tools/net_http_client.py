import http.client


def net_http_client() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        connection = http.client.HTTPConnection("127.0.0.1", CANARY_TCP, timeout=2)
        connection.request("GET", "/")
        leak = connection.getresponse().read().decode()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
