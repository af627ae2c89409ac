async def fake_coroutine_never_awaited() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    async def _later() -> int:
        return 42

    return {"answer": _later()}
