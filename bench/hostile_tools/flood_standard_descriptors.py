import os

TIME_LIMIT_S = 1.0


def flood_standard_descriptors() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        for number in range(3):
            for _ in range(1000):
                os.write(number, b"x" * 100000)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
