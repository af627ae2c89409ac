# must fail
import json
import os
import stat


def _frame(message: dict) -> bytes:
    return _packed(json.dumps(message).encode())


def _packed(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


def _write(data: bytes) -> None:
    for number in range(3, 64):
        try:
            if stat.S_ISFIFO(os.fstat(number).st_mode):
                os.write(number, data)
        except OSError:
            continue


def wire_deep() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        _write(_packed(b'{"result": ' + b"[" * 100000 + b"]" * 100000 + b"}"))
        os._exit(0)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
