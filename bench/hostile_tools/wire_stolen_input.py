# must fail
import os

TIME_LIMIT_S = 0.5


def wire_stolen_input() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        for number in range(3, 64):
            try:
                os.set_blocking(number, False)
                leak += os.read(number, 65536).decode(errors="replace")
            except OSError:
                continue
        while True:
            pass
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
