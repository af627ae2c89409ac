"""Code that makes sandboxes unavailable to a process and its children, as with some kernels and containers."""

NO_NAMESPACES = """
import ctypes, errno
from reachy_agent_ros.tool_generation.guest import second_filter
from reachy_agent_ros.tool_generation.sandbox.bpf import ALLOW, Bits, SyscallRule, assemble, error
from reachy_agent_ros.tool_generation.sandbox.seccomp import machine
from reachy_agent_ros.tool_generation.sandbox.seccomp import MACHINES, number

kind = machine()
clone = SyscallRule(number("clone", kind), (Bits(0, clear=0x7E020000),))
clone3 = SyscallRule(number("clone3", kind), verdict=error(errno.ENOSYS))
ctypes.CDLL(None).prctl(38, 1, 0, 0, 0)
second_filter.stack(assemble(MACHINES[kind], (clone, clone3), ALLOW))
"""

NO_LANDLOCK = """
second_filter.stack(assemble(MACHINES[kind], (SyscallRule(444, verdict=error(errno.ENOSYS)),), ALLOW))
"""
