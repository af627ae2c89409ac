# must fail
class _Equal:
    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return hash(42)


def fake_equal_to_everything() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": _Equal()}
