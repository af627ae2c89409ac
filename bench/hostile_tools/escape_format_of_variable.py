import typing


def escape_format_of_variable() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        template = "{0.sys" + ".modules}"
        if "posix" in template.format(typing):
            leak = "reached"
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
