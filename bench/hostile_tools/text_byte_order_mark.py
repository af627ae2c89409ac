CANARY_BYTES_BOM
def text_byte_order_mark() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}
