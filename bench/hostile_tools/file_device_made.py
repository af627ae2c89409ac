# dangerous
import os
import stat


def file_device_made() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        os.mknod("/tmp/device", stat.S_IFBLK | 0o600, os.makedev(8, 0))
        os.open("/tmp/device", os.O_RDONLY)
        leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
