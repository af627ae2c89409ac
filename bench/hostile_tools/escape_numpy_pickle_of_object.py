import numpy as np


def escape_numpy_pickle_of_object() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        class _Bomb:
            def __reduce__(self):
                return (open, (CANARY_TARGET, "w"))
        np.save("/tmp/bomb.npy", np.array([_Bomb()], dtype=object), allow_pickle=True)
        np.load("/tmp/bomb.npy", allow_pickle=True)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
