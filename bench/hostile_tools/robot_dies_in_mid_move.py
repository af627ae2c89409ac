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


def robot_dies_in_mid_move() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        _write(_frame({"call": "goto", "arguments": {"head": None, "antennas": [1.0, -1.0], "body_yaw": 0.5, "duration": 5.0}}))
        os._exit(1)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
