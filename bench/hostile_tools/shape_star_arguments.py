def shape_star_arguments(*several: int) -> dict:
    """Tells the answer.

    Args:
        several: Nothing.

    Returns:
        The answer.
    """
    return {"answer": 42}
