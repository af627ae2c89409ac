# must fail
def wire_keyboard_interrupt() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    raise KeyboardInterrupt
