"""The end of a node, which the middleware must not turn into one without end."""

from __future__ import annotations

import ctypes
import os

from rclpy.node import Node

FAREWELL = 5.0
"""Seconds after which a process that takes its leave is ended (`exit_within`).

Fast DDS now and then deadlocks or crashes while a publisher is destroyed as all the other nodes leave too
(eProsima/Fast-DDS#6193), and the main thread holds the interpreter's lock then.
"""

PATIENCE = 2
"""Seconds in which whatever the middleware is just telling must have been told, on however busy a machine."""

_GET_PARTICIPANT = "_ZN16rmw_fastrtps_cpp22get_domain_participantEP10rmw_node_s"
_SET_LISTENER = (
    "_ZN8eprosima7fastdds3dds17DomainParticipant12set_listener"
    "EPNS1_25DomainParticipantListenerENSt6chrono8durationIlSt5ratioILl1ELl1EEEE"
)


def take_leave(node: Node) -> None:
    """Destroys the only node of its context. Others hear at once that it has gone.

    Fast DDS waits then until nothing of other nodes is being told to this one. Without a time limit, and as it is
    built for the wheels, it does so holding the lock that the telling needs to end: it spins for ever where another
    node comes or goes in that moment (eProsima/Fast-DDS#6513). With a limit it waits as it should. So the telling is
    ended first, with one.

    Args:
        node: Any other node of the context would hear of nobody any more.
    """
    _hear_of_nobody(node)
    node.destroy_node()


def _hear_of_nobody(node: Node) -> None:
    """Ends what is told of others' coming and going, where Fast DDS is the middleware and can be asked to."""
    try:
        rcl, rmw = (ctypes.CDLL(f"lib{name}.so", os.RTLD_NOLOAD | os.RTLD_LAZY) for name in ("rcl", "rmw_fastrtps_cpp"))
        participant_of, set_listener = getattr(rmw, _GET_PARTICIPANT), getattr(rmw, _SET_LISTENER)
    except (OSError, AttributeError):
        return  # another middleware, or another build of it
    for function in (rcl.rcl_node_get_rmw_handle, participant_of):
        function.argtypes, function.restype = (ctypes.c_void_p,), ctypes.c_void_p
    set_listener.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)
    with node.handle:
        set_listener(participant_of(rcl.rcl_node_get_rmw_handle(node.handle.pointer)), None, PATIENCE)
