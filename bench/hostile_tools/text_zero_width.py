def text_zero_width() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}


_hidCANARY_BYTES_ZWJden = 1
