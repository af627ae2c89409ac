import numpy as np


def file_write_numpy_savetxt() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        np.savetxt(CANARY_TARGET, np.zeros(3))
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
