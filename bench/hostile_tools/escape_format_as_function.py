import typing


def escape_format_as_function() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        if "posix" in list(map("{0.sys.modules}".format, [typing]))[0]:
            leak = "reached"
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
