"""The process of a node: a node class that cannot deadlock, and an end that nothing can prevent.

README.md lists the workarounds of this package, with their causes. `uses_fast_dds` switches off those for Fast DDS.
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
"""Seconds after which a process that takes its leave is ended (`guard_farewell`)."""

_PATIENCE = 2
"""Seconds in which whatever the middleware is just telling must have been told, on however busy a machine."""

_GET_PARTICIPANT = "_ZN16rmw_fastrtps_cpp22get_domain_participantEP10rmw_node_s"
_SET_LISTENER = (
    "_ZN8eprosima7fastdds3dds17DomainParticipant12set_listener"
    "EPNS1_25DomainParticipantListenerENSt6chrono8durationIlSt5ratioILl1ELl1EEEE"
)
_SIGEV_THREAD = 2
_NANOSECONDS = 1_000_000_000
_CRASHES = (signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT)


def uses_fast_dds() -> bool:
    """Whether the middleware is Fast DDS. With another one, nothing of ours works around what only Fast DDS does."""
    return rclpy.get_rmw_implementation_identifier().startswith("rmw_fastrtps")


class EventlessNode(Node):
    """Base of every node that spins in `create_executor`'s executor. With another middleware, it is rclpy's `Node`.

    rclpy listens to two events of each publisher and subscription. With the executor that events wake, the thread that
    takes one and the thread of the middleware that brings another can each hold the lock that the other one waits for:
    then the node neither hears nor works any more (ros2/rmw_fastrtps#890, fixed on its main branch in June 2026).
    What is lost are warnings of partners whose quality of service does not fit.
    """

    def create_publisher(self, *args: Any, **options: Any) -> Publisher[Any]:
        """As of every node."""
        if uses_fast_dds():
            options.setdefault("event_callbacks", PublisherEventCallbacks(use_default_callbacks=False))
        return super().create_publisher(*args, **options)

    def create_subscription(self, *args: Any, **options: Any) -> Subscription[Any]:
        """As of every node."""
        if uses_fast_dds():
            options.setdefault("event_callbacks", SubscriptionEventCallbacks(use_default_callbacks=False))
        return super().create_subscription(*args, **options)


def create_executor(context: Context | None = None) -> Executor:
    """One thread, woken by events where rclpy can do that.

    The older kind builds its wait set anew for every callback, which costs a node of twenty entities a millisecond.

    Args:
        context: Of the nodes; the default context if none is given.
    """
    try:
        from rclpy.experimental import EventsExecutor
    except ImportError:  # ROS 2 Jazzy
        return executors.SingleThreadedExecutor(context=context)
    executor: Executor = EventsExecutor(context=context)
    return executor


def take_leave(node: Node) -> None:
    """Destroys the only node of its context. Others hear at once that it has gone.

    Fast DDS waits then until nothing of other nodes is being told to this one. Without a time limit, and as it is
    built for the wheels, it does so holding the lock that the telling needs to end: it spins for ever where another
    node comes or goes in that moment (eProsima/Fast-DDS#6513). With a limit it waits as it should. So the telling is
    ended first, with one.

    Args:
        node: Any other node of the context would hear of nobody any more.
    """
    if uses_fast_dds():
        _hear_of_nobody(node)
    node.destroy_node()


def guard_farewell(code: int = 0) -> Callable[[], None]:
    """Ends this process in time where the middleware may keep it from ending, or crash it: see `exit_within`.

    Fast DDS now and then deadlocks or crashes while a publisher is destroyed as all the other nodes leave too
    (eProsima/Fast-DDS#6193), and the main thread holds the interpreter's lock then.

    Args:
        code: The process's exit code.

    Returns:
        A function that calls it off.
    """
    return exit_within(_FAREWELL, code) if uses_fast_dds() else lambda: None


def exit_within(seconds: float, code: int = 0) -> Callable[[], None]:
    """Ends this process once so much time has passed, whatever it does then, or has stumbled over.

    A timer of the C library calls `_exit` in a thread of its own (timer_create(2), SIGEV_THREAD): Python's timers and
    signal handlers need the interpreter's lock, which a thread may hold that never goes on. A thread that crashes
    stands still until then, in `pause` as its signal's handler. So call it only when nothing is left to be lost.

    Args:
        seconds: Time for what is still to be done.
        code: The process's exit code.

    Returns:
        A function that calls it off.

    Raises:
        OSError: The system has no timer to give.
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


def _hear_of_nobody(node: Node) -> None:
    """Ends what Fast DDS tells of others' coming and going, where its build has the functions for that."""
    try:
        rcl, rmw = (ctypes.CDLL(f"lib{name}.so", os.RTLD_NOLOAD | os.RTLD_LAZY) for name in ("rcl", "rmw_fastrtps_cpp"))
        participant_of, set_listener = getattr(rmw, _GET_PARTICIPANT), getattr(rmw, _SET_LISTENER)
    except (OSError, AttributeError):
        return  # rmw_fastrtps_dynamic_cpp, or a version whose functions have other names
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
