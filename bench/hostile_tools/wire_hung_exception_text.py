# must fail
TIME_LIMIT_S = 0.5


def wire_hung_exception_text() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    class _Slow(Exception):
        def __str__(self) -> str:
            while True:
                pass
    raise _Slow
