def escape_default_of_lambda() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": (lambda one=open(CANARY_TARGET, "w").write("owned"): 42)()}
