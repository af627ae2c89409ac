"""Assembler of seccomp filters. It converts rules for system calls to an array of `struct sock_filter`.

Uses classic BPF as in linux/filter.h and seccomp(2). A rule is a block that begins with a comparison of the system
call number and ends with a verdict, so that no jump leaves its block.
"""

from __future__ import annotations

import errno
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16  # offsets in struct seccomp_data
_NEXT, _FAIL = 0, -1

ALLOW = 0x7FFF0000
KILL = 0x80000000
"""Verdict that kills the complete process."""

X32 = 0x40000000
"""Bit in the system call numbers of the second, 32-bit interface of x86-64."""


def error(number: int) -> int:
    """Returns the verdict with which a system call fails with an `errno`."""
    return 0x00050000 | number


REFUSE = error(errno.EPERM)


@dataclass(frozen=True)
class _Step:
    """Instruction of a filter.

    Jump offsets are numbers of instructions to skip. `_FAIL` jumps to the end of the block, where the call is rejected.
    """

    code: int
    operand: int
    if_true: int = _NEXT
    if_false: int = _NEXT


@dataclass(frozen=True)
class ArgumentIn:
    """Condition that an argument has one of several values.

    Checks only the low 32 bits of the argument, as the kernel does for an `int`.
    """

    argument: int
    values: tuple[int, ...]

    def steps(self) -> Iterator[_Step]:
        """Yields the instructions that check the condition. If it holds, the next instruction follows."""
        yield _low(self.argument)
        last = len(self.values) - 1
        for index, value in enumerate(self.values):
            yield _Step(_EQUAL, value, last - index, _FAIL if index == last else _NEXT)


@dataclass(frozen=True)
class Bits:
    """Condition that some bits of an argument are clear and, optionally, that another bit is set.

    Checks only the low 32 bits of the argument.
    """

    argument: int
    clear: int
    set: int = 0

    def steps(self) -> Iterator[_Step]:
        """Yields the instructions that check the condition. If it holds, the next instruction follows."""
        yield _low(self.argument)
        yield _Step(_ANY_BIT, self.clear, _FAIL)
        if self.set:
            yield _Step(_ANY_BIT, self.set, _NEXT, _FAIL)


@dataclass(frozen=True)
class Zero:
    """Condition that all 64 bits of an argument are zero, for example because a pointer must be NULL."""

    argument: int

    def steps(self) -> Iterator[_Step]:
        """Yields the instructions that check the condition. If it holds, the next instruction follows."""
        yield _low(self.argument)
        yield _Step(_EQUAL, 0, _NEXT, _FAIL)
        yield _Step(_LOAD, _ARGUMENTS + 8 * self.argument + 4)
        yield _Step(_EQUAL, 0, _NEXT, _FAIL)


Condition = ArgumentIn | Bits | Zero


@dataclass(frozen=True)
class SyscallRule:
    """Rule for one system call. The result is `verdict` if all conditions hold; otherwise, the call is rejected."""

    number: int
    conditions: tuple[Condition, ...] = ()
    verdict: int = ALLOW

    def steps(self) -> list[_Step]:
        """Returns the instructions of the rule. They have no effect on other system calls."""
        body = [step for condition in self.conditions for step in condition.steps()]
        body.append(_Step(_RETURN, self.verdict))
        if self.conditions:
            body.append(_Step(_RETURN, REFUSE))
        return [_Step(_EQUAL, self.number, _NEXT, len(body)), *(_resolved(body))]


def assemble(architecture: int, rules: Iterable[SyscallRule], otherwise: int) -> bytes:
    """Assembles a filter.

    Args:
        architecture: `AUDIT_ARCH_*`. Calls through another interface kill the process, because their numbers differ.
        rules: Rules, at most one per system call.
        otherwise: Verdict for all other calls.

    Returns:
        Array of `struct sock_filter` in the byte order of this machine.
    """
    steps = [
        _Step(_LOAD, _ARCHITECTURE),
        _Step(_EQUAL, architecture, 1, 0),
        _Step(_RETURN, KILL),
        _Step(_LOAD, _NUMBER),
        _Step(_AT_LEAST, X32, 0, 1),
        _Step(_RETURN, KILL),
        *(step for rule in rules for step in rule.steps()),
        _Step(_RETURN, otherwise),
    ]
    return b"".join(struct.pack("=HBBI", step.code, step.if_true, step.if_false, step.operand) for step in steps)


def _low(argument: int) -> _Step:
    return _Step(_LOAD, _ARGUMENTS + 8 * argument)  # all supported machines are little-endian


def _resolved(body: list[_Step]) -> Iterator[_Step]:
    last = len(body) - 1
    for index, step in enumerate(body):
        away = last - index - 1
        yield _Step(
            step.code,
            step.operand,
            away if step.if_true == _FAIL else step.if_true,
            away if step.if_false == _FAIL else step.if_false,
        )
