# must fail
def wire_raised_system_exit() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    raise SystemExit(0)
