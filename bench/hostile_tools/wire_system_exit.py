# must fail
import sys


def wire_system_exit() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        sys.exit(0)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
