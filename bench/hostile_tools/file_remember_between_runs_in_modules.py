# twice
import math
import sys


def file_remember_between_runs_in_modules() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        if hasattr(math, "remembered") or "remembered" in sys.modules:
            leak = CANARY_FIRED
        math.remembered = True
        sys.modules["remembered"] = math
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
