import xmlrpc.client


def net_xmlrpc() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        xmlrpc.client.ServerProxy(f"http://127.0.0.1:{CANARY_TCP}/").owned()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
