# dangerous
import os


def file_device_memory() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        for name in ("mem", "kmsg", "video0", "snd/controlC0", "input/event0", "fuse", "kvm", "net/tun", "sda", "vda", "loop0"):
            try:
                os.close(os.open("/dev/" + name, os.O_RDONLY))
                leak = CANARY_FIRED
            except OSError:
                continue
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
