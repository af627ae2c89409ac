# vim: set fileencoding=utf-7 :
def text_coding_cookie_utf7() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}
