# -*- coding: rot13 -*-
def text_coding_cookie() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}
