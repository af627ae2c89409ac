def text_invalid_escape() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}


_DEEP = "\N{NO SUCH CHARACTER}"
