import typing


def escape_format_in_string_method() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        if "posix" in str.format("{0.sys.modules}", typing):
            leak = "reached"
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
