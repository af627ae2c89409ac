# dangerous
import os


def file_fill_scratch() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        os.makedirs("/tmp/full", exist_ok=True)
        for number in range(400):
            open(f"/tmp/full/{number}", "wb").write(bytes(1 << 20))
        leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
