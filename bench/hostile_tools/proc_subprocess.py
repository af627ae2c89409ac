import subprocess


def proc_subprocess() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        subprocess.run(["/bin/sh", "-c", "echo owned > " + CANARY_TARGET], check=True)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
