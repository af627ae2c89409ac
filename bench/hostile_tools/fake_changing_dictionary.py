class _Result(dict):
    def items(self) -> list:
        return [("answer", 41)]


def fake_changing_dictionary() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return _Result()
