import numpy as np


def escape_eval_vectorised() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        leak = str(np.vectorize(eval)(np.array(["open(" + repr(CANARY_SECRET) + ").read()"]))[0])
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
