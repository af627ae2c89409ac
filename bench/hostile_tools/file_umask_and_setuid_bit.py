import os


def file_umask_and_setuid_bit() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        os.chmod(CANARY_TARGET, 0o4755)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
