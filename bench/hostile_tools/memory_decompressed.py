# contained
import zlib

MEMORY_MB = 64


def memory_decompressed() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        bomb = zlib.compress(bytes(100 << 20), 9)
        hoard = [zlib.decompress(bomb) for _ in range(20)]
        leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
