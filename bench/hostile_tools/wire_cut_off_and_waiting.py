# must fail
import json
import os
import stat
import time

TIME_LIMIT_S = 0.5


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


def wire_cut_off_and_waiting() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        _write((1000).to_bytes(4, "big") + b'{"result": {"answer": 42}')
        time.sleep(1e6)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
