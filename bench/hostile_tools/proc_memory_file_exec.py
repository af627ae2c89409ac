import os
import shutil


def proc_memory_file_exec() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        number = os.memfd_create("owned")
        shutil.copyfileobj(open("/bin/true", "rb"), os.fdopen(number, "wb", closefd=False))
        os.posix_spawn(f"/proc/self/fd/{number}", ["owned"], {})
        leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
