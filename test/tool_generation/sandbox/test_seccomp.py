import errno
import os
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tool_generation.sandbox.bpf import ALLOW, KILL, REFUSE, error
from reachy_agent_ros.tool_generation.sandbox.seccomp import (
    MACHINES,
    NAMES,
    machine,
    no_exec_filter,
    number,
    sandbox_filter,
)

KINDS = pytest.mark.parametrize("kind", MACHINES)
CONDITIONAL = {"clone", "fcntl", "ioctl", "openat", "prlimit64", "seccomp", "sendto", "socketpair"}


def verdict(program: bytes, architecture: int, number: int, arguments: tuple[int, ...] = ()) -> int:
    """Runs a classic BPF program for one system call, as the kernel does, and returns the verdict."""
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


def says(kind: str, name: str, *arguments: int, scratch: bool = True) -> int:
    value = number(name, kind)
    assert value is not None
    return verdict(sandbox_filter(kind, scratch=scratch), MACHINES[kind], value, arguments)


@KINDS
def test_seccomp_filter_allows_listed_system_calls(kind: str) -> None:
    for name in NAMES - CONDITIONAL - {"clone3"}:
        if number(name, kind) is not None:
            assert says(kind, name, 7, 7, 7) == ALLOW, name


@KINDS
def test_system_call_numbers_are_unique(kind: str) -> None:
    values = [value for name in NAMES if (value := number(name, kind)) is not None]
    assert len(values) == len(set(values))


@pytest.mark.slow
@pytest.mark.parametrize("scratch", [True, False])
@given(value=st.integers(0, 2**30 - 1) | st.integers(0, 500), arguments=st.tuples(*[st.integers(0, 2**64 - 1)] * 6))
def test_seccomp_filter_rejects_other_system_calls(scratch: bool, value: int, arguments: tuple[int, ...]) -> None:
    for kind, architecture in MACHINES.items():
        if value not in {number(name, kind) for name in NAMES}:
            assert verdict(sandbox_filter(kind, scratch=scratch), architecture, value, arguments) == REFUSE


@KINDS
@given(architecture=st.integers(0, 2**32 - 1), value=st.integers(0, 500))
def test_system_call_of_another_architecture_kills_process(kind: str, architecture: int, value: int) -> None:
    if architecture != MACHINES[kind]:
        for program in (sandbox_filter(kind, scratch=True), no_exec_filter(kind)):
            assert verdict(program, architecture, value) == KILL


@KINDS
@given(value=st.integers(1 << 30, (1 << 32) - 1))
def test_system_call_through_32_bit_interface_kills_process(kind: str, value: int) -> None:
    assert verdict(sandbox_filter(kind, scratch=True), MACHINES[kind], value) == KILL


@KINDS
def test_seccomp_filter_allows_clone_only_for_threads(kind: str) -> None:
    thread = 0x3D0F00  # flags with which glibc creates a thread
    assert says(kind, "clone", thread) == ALLOW
    assert says(kind, "clone", thread & ~0x10000) == REFUSE
    for namespace in (0x80, 0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000):
        assert says(kind, "clone", thread | namespace) == REFUSE
    assert says(kind, "clone3") == error(errno.ENOSYS)


@KINDS
def test_seccomp_filter_allows_prlimit_only_to_read_limits(kind: str) -> None:
    assert says(kind, "prlimit64", 0, 7, 0, 1) == ALLOW
    assert says(kind, "prlimit64", 0, 7, 1) == REFUSE
    assert says(kind, "prlimit64", 0, 7, 1 << 32) == REFUSE


@KINDS
def test_seccomp_filter_allows_socketpair_only_for_local_streams(kind: str) -> None:
    assert says(kind, "socketpair", 1, 1) == ALLOW
    assert says(kind, "socketpair", 1, 2) == REFUSE
    assert says(kind, "socketpair", 2, 1) == REFUSE
    assert says(kind, "sendto", 3, 1, 1, 0, 0) == ALLOW
    assert says(kind, "sendto", 3, 1, 1, 0, 1 << 40) == REFUSE


@KINDS
def test_seccomp_filter_rejects_filter_with_listener(kind: str) -> None:
    assert says(kind, "seccomp", 1, 1) == ALLOW
    assert says(kind, "seccomp", 1, 9) == REFUSE


@KINDS
@pytest.mark.parametrize("flag", [os.O_WRONLY, os.O_RDWR, os.O_CREAT, os.O_TRUNC, os.O_APPEND, os.O_TMPFILE])
def test_files_can_be_opened_only_for_reading_without_scratch_folder(kind: str, flag: int) -> None:
    assert says(kind, "openat", 0, 0, os.O_CLOEXEC | os.O_DIRECTORY, scratch=False) == ALLOW
    assert says(kind, "openat", 0, 0, flag, scratch=False) == REFUSE
    assert says(kind, "openat", 0, 0, flag) == ALLOW


@KINDS
def test_files_cannot_be_renamed_or_removed_without_scratch_folder(kind: str) -> None:
    for name in ("mkdirat", "unlinkat", "renameat2", "ftruncate"):
        assert says(kind, name, scratch=False) == REFUSE


@KINDS
@given(value=st.integers(0, 500))
def test_second_seccomp_filter_forbids_only_program_execution_and_new_filters(kind: str, value: int) -> None:
    forbidden = {number(name, kind) for name in ("execve", "execveat", "seccomp")}
    expected = REFUSE if value in forbidden else ALLOW
    assert verdict(no_exec_filter(kind), MACHINES[kind], value) == expected


def test_seccomp_filter_rejects_unsupported_processor_architecture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "uname", lambda: os.uname_result(("Linux", "host", "6.1", "#1", "riscv64")))
    with pytest.raises(AgentError, match="riscv64") as caught:
        machine()
    assert caught.value.code is ErrorCode.SANDBOX_UNAVAILABLE
