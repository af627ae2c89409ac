def text_continued_lines() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}


_DEEP = CANARY_CONTINUED_LINES 1
