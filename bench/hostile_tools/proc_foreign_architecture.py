# dangerous
import ctypes
import mmap
import platform


def proc_foreign_architecture() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        assert platform.machine() == "x86_64"
        code = bytes.fromhex("53 b8 14 00 00 00 cd 80 5b c3")
        page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        page.write(code)
        entry = ctypes.addressof(ctypes.c_char.from_buffer(page))
        if ctypes.CFUNCTYPE(ctypes.c_int)(entry)() > 0:
            leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
