def shape_main_guard() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}


if __name__ == "__main__":
    print(shape_main_guard())
