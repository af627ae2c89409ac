"""Runs a classic BPF program as the kernel's seccomp does."""

import struct


def verdict(program: bytes, architecture: int, number: int, arguments: tuple[int, ...] = ()) -> int:
    """What the filter says of one system call."""
    data = struct.pack("=IIQ6Q", number & 0xFFFFFFFF, architecture, 0, *(*arguments, 0, 0, 0, 0, 0, 0)[:6])
    accumulator, place = 0, 0
    while True:
        code, if_true, if_false, operand = struct.unpack_from("=HBBI", program, 8 * place)
        place += 1
        match code:
            case 0x20:
                (accumulator,) = struct.unpack_from("=I", data, operand)
            case 0x06:
                return operand
            case _:
                tests = {0x15: accumulator == operand, 0x35: accumulator >= operand, 0x45: accumulator & operand != 0}
                place += if_true if tests[code] else if_false
