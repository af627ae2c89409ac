"""Support for the process of a node: executor, node class without event callbacks, and a shutdown that cannot hang.

README.md lists the workarounds of this package and their causes. Those for Fast DDS apply only if `uses_fast_dds`.
"""

from __future__ import annotations

import ctypes
import os
import signal
from collections.abc import Callable
from typing import Any

import rclpy
from rclpy import executors
from rclpy.context import Context
from rclpy.event_handler import PublisherEventCallbacks, SubscriptionEventCallbacks
from rclpy.executors import Executor
from rclpy.node import Node
from rclpy.publisher import Publisher
from rclpy.subscription import Subscription

_FAREWELL = 5.0
"""Time limit of a process's shutdown (`guard_farewell`), s."""

_PATIENCE = 2
"""Time limit for running discovery callbacks, s: enough even on a busy machine."""

_GET_PARTICIPANT = "_ZN16rmw_fastrtps_cpp22get_domain_participantEP10rmw_node_s"
_SET_LISTENER = (
    "_ZN8eprosima7fastdds3dds17DomainParticipant12set_listener"
    "EPNS1_25DomainParticipantListenerENSt6chrono8durationIlSt5ratioILl1ELl1EEEE"
)
_SIGEV_THREAD = 2
_NANOSECONDS = 1_000_000_000
_CRASHES = (signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT)


def uses_fast_dds() -> bool:
    """Returns whether the middleware is Fast DDS. If not, the workarounds for Fast DDS are disabled."""
    return rclpy.get_rmw_implementation_identifier().startswith("rmw_fastrtps")


class EventlessNode(Node):
    """Node without event callbacks, for the executor of `create_executor`.

    By default, rclpy handles two events of each publisher and subscription. In the events executor, the thread that
    takes an event and the Fast DDS thread that delivers the next one can each hold the lock that the other one waits
    for: the node deadlocks (ros2/rmw_fastrtps#890, fixed on its main branch in June 2026). As a drawback, warnings
    about incompatible quality of service are lost. With other middleware, the class behaves like rclpy's `Node`.
    """

    def create_publisher(self, *args: Any, **options: Any) -> Publisher[Any]:
        """Creates a publisher without event callbacks, unless `event_callbacks` is given."""
        if uses_fast_dds():
            options.setdefault("event_callbacks", PublisherEventCallbacks(use_default_callbacks=False))
        return super().create_publisher(*args, **options)

    def create_subscription(self, *args: Any, **options: Any) -> Subscription[Any]:
        """Creates a subscription without event callbacks, unless `event_callbacks` is given."""
        if uses_fast_dds():
            options.setdefault("event_callbacks", SubscriptionEventCallbacks(use_default_callbacks=False))
        return super().create_subscription(*args, **options)


def create_executor(context: Context | None = None) -> Executor:
    """Creates a single-threaded executor, which is event-driven if rclpy supports it.

    The other executor rebuilds its wait set for every callback, which takes 1 ms in a node with twenty entities.

    Args:
        context: Context of the nodes; None for the default context.
    """
    try:
        from rclpy.experimental import EventsExecutor
    except ImportError:  # ROS 2 Jazzy
        return executors.SingleThreadedExecutor(context=context)
    executor: Executor = EventsExecutor(context=context)
    return executor


def take_leave(node: Node) -> None:
    """Destroys the node, which is the only one in its context, so that other nodes notice this immediately.

    Fast DDS first waits for running discovery callbacks. In the build of the wheels, a wait without a time limit holds
    the lock that these callbacks need, so it spins forever if another node comes or goes at that moment
    (eProsima/Fast-DDS#6513). A wait with a time limit works, so the discovery listener is removed first, with such a
    limit.

    Args:
        node: Node to destroy. Other nodes of the context would no longer discover anything.
    """
    if uses_fast_dds():
        _remove_discovery_listener(node)
    node.destroy_node()


def guard_farewell(code: int = 0) -> Callable[[], None]:
    """Limits the duration of the shutdown, which the middleware may block or crash. See `exit_within`.

    Fast DDS occasionally deadlocks or crashes if a publisher is destroyed while all other nodes also leave
    (eProsima/Fast-DDS#6193). The main thread then holds the interpreter lock.

    Args:
        code: Exit code of the process.

    Returns:
        Function that cancels the limit.
    """
    return exit_within(_FAREWELL, code) if uses_fast_dds() else lambda: None


def exit_within(seconds: float, code: int = 0) -> Callable[[], None]:
    """Ends this process after a given time, even if the process hangs or a thread has crashed.

    A timer of the C library calls `_exit` in its own thread (timer_create(2), SIGEV_THREAD), because Python's timers
    and signal handlers need the interpreter lock, which a hanging thread may hold. Until then, a crashing thread is
    blocked by `pause`, which is installed as its signal handler. Call this only when nothing can be lost any more.

    Args:
        seconds: Time until the process ends, s.
        code: Exit code of the process.

    Returns:
        Function that cancels the exit.

    Raises:
        OSError: The system cannot create a timer.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    timer = ctypes.c_void_p()
    event = _Sigevent(value=code, notify=_SIGEV_THREAD, function=ctypes.cast(libc._exit, ctypes.c_void_p))
    whole, rest = divmod(round(seconds * _NANOSECONDS), _NANOSECONDS)
    due = _Itimerspec(value_s=whole, value_ns=rest)
    for failed in (
        libc.timer_create(1, ctypes.byref(event), ctypes.byref(timer)),  # 1: CLOCK_MONOTONIC
        libc.timer_settime(timer, 0, ctypes.byref(due), None),
    ):
        if failed:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    libc.signal.argtypes = ctypes.c_int, ctypes.c_void_p
    libc.signal.restype = ctypes.c_void_p
    before = {crash: libc.signal(crash, ctypes.cast(libc.pause, ctypes.c_void_p)) for crash in _CRASHES}

    def call_off() -> None:
        libc.timer_delete(timer)
        for crash, handler in before.items():
            libc.signal(crash, handler)

    return call_off


def _remove_discovery_listener(node: Node) -> None:
    """Removes Fast DDS's listener for the discovery of participants, if the library exports the needed functions."""
    try:
        rcl, rmw = (ctypes.CDLL(f"lib{name}.so", os.RTLD_NOLOAD | os.RTLD_LAZY) for name in ("rcl", "rmw_fastrtps_cpp"))
        participant_of, set_listener = getattr(rmw, _GET_PARTICIPANT), getattr(rmw, _SET_LISTENER)
    except (OSError, AttributeError):
        return  # rmw_fastrtps_dynamic_cpp, or a version with other function names
    for function in (rcl.rcl_node_get_rmw_handle, participant_of):
        function.argtypes, function.restype = (ctypes.c_void_p,), ctypes.c_void_p
    set_listener.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)
    with node.handle:
        set_listener(participant_of(rcl.rcl_node_get_rmw_handle(node.handle.pointer)), None, _PATIENCE)


class _Sigevent(ctypes.Structure):
    """`struct sigevent` of glibc, which is 64 bytes long."""

    _fields_ = (
        ("value", ctypes.c_void_p),
        ("signo", ctypes.c_int),
        ("notify", ctypes.c_int),
        ("function", ctypes.c_void_p),
        ("attributes", ctypes.c_void_p),
        ("rest", ctypes.c_char * 32),
    )


class _Itimerspec(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_long) for name in ("interval_s", "interval_ns", "value_s", "value_ns"))
