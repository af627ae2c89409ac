# must fail
def wire_generator_exit() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    raise GeneratorExit
