import numpy as np


def fake_numpy_equal() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": np.ma.masked}
