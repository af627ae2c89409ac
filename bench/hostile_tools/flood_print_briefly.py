# contained
def flood_print_briefly() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        for _ in range(200):
            print("x" * 100000)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
