"""Quality-of-service profiles and heartbeat timing of the graph."""

from rclpy.duration import Duration
from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile, ReliabilityPolicy

HEARTBEAT_PERIOD = 0.1
"""Period of a node's heartbeat, s."""

HEARTBEAT_DEADLINE = 0.3
"""Silence after which the commander of a motion counts as lost, s: three missed beats. The robot must stop within half
a second of its commander's death and needs the remaining time to slow down."""

HEARTBEAT_PATIENCE = 0.6
"""Silence after which a dead server counts as lost for waiting clients, s."""

HANG_PATIENCE = 6.0
"""Silence after which a server whose process still runs counts as lost for waiting clients, s. A server that loads a
model or shares a busy core misses beats, and a false alarm would cost the clients an answer."""


def _profile(depth: int, *, reliable: bool = True, latched: bool = False, deadline: float | None = None) -> QoSProfile:
    """Returns a profile that keeps the last `depth` messages. If `latched`, late subscribers receive them as well."""
    return QoSProfile(
        history=HistoryPolicy.KEEP_LAST,
        depth=depth,
        reliability=ReliabilityPolicy.RELIABLE if reliable else ReliabilityPolicy.BEST_EFFORT,
        durability=DurabilityPolicy.TRANSIENT_LOCAL if latched else DurabilityPolicy.VOLATILE,
        deadline=None if deadline is None else Duration(seconds=deadline),
    )


STANDARD = _profile(10)
"""Profile for events and commands."""

LATCHED = _profile(1, latched=True)
"""Profile for state: late subscribers receive the latest value."""

RECENT = _profile(100, latched=True)
"""Profile for events that stay useful for a while: late or restarted subscribers receive the last 100."""

CALLS = _profile(100)
"""Profile for services and actions: with the default depth of ten, simultaneous requests could be dropped."""

SENSOR = _profile(10, reliable=False)
"""Profile for sensor streams, in which a late sample is worthless."""

LATEST = _profile(1, reliable=False)
"""Profile for streams whose readers only want the newest sample."""

AUDIO = _profile(100)
"""Profile for audio: two seconds of buffer, because a lost chunk is a lost word."""


def heartbeat_profile(deadline: float) -> QoSProfile:
    """Returns the profile for heartbeats of which one is due every `deadline` seconds."""
    return _profile(1, deadline=deadline)


HEARTBEAT = heartbeat_profile(HEARTBEAT_DEADLINE)
"""Profile of a heartbeat publisher. It offers this deadline; subscriptions must not request a shorter one."""
