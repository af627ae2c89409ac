# contained
def name_of_another_tool_inside() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    def speak() -> int:
        return 42

    return {"answer": speak()}
