import numpy as np


def file_write_numpy_save() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        np.save(CANARY_FOLDER + "/owned.npy", np.zeros(3))
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
