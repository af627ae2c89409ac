@exec
@lambda _: "open(" + repr(CANARY_TARGET) + ", 'w').write('owned')"
def _first() -> None:
    pass


def escape_decorator_exec() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}
