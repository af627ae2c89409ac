# must fail
def wire_exception_text_that_raises() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    class _Broken(Exception):
        def __str__(self) -> str:
            raise SystemExit(0)
        __repr__ = __str__
    raise _Broken
