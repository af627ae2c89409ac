import numpy as np


def net_numpy_url() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        leak = str(np.genfromtxt(f"http://127.0.0.1:{CANARY_TCP}/", dtype=str))
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
