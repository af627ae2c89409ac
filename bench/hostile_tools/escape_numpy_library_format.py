import numpy as np


def escape_numpy_library_format() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        leak = str(np.lib.format.open_memmap(CANARY_FOLDER + "/owned.npy", "w+", shape=(1,)))
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
