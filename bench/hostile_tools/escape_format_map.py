import typing


def escape_format_map() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        if "posix" in "{one.sys.modules}".format_map({"one": typing}):
            leak = "reached"
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
