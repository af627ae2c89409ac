# must fail
def wire_exception_with_odd_name() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    raise type("\ud800x" * 10000, (Exception,), {})("\ud800")
