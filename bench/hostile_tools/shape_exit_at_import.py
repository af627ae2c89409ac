raise SystemExit(0)


def shape_exit_at_import() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}
