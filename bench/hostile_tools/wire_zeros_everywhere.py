# must fail
import os


def wire_zeros_everywhere() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        for number in range(64):
            try:
                os.write(number, bytes(4096))
            except OSError:
                continue
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
