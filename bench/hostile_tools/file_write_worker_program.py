# dangerous
import sys


def file_write_worker_program() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        for module in list(sys.modules.values()):
            path = getattr(module, "__file__", None)
            try:
                open(path, "r+b").close()
                leak = CANARY_FIRED
            except (OSError, TypeError):
                continue
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
