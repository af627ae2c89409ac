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

HANG_PATIENCE = 3.0
"""Silence after which a server whose process still runs counts as lost for waiting clients, s. A server that loads a
model or shares a busy core misses beats, and a false alarm would cost the clients an answer."""


def _profile(depth: int, *, reliable: bool = True, latched: bool = False, deadline: float | None = None) -> QoSProfile:
    """Returns a profile that keeps the last `depth` messages, for late subscribers too if it is `latched`."""
    return QoSProfile(
        history=HistoryPolicy.KEEP_LAST,
        depth=depth,
        reliability=ReliabilityPolicy.RELIABLE if reliable else ReliabilityPolicy.BEST_EFFORT,
        durability=DurabilityPolicy.TRANSIENT_LOCAL if latched else DurabilityPolicy.VOLATILE,
        deadline=None if deadline is None else Duration(seconds=deadline),
    )


STANDARD = _profile(10)
"""Events and commands."""

LATCHED = _profile(1, latched=True)
"""State: late subscribers receive the latest value."""

RECENT = _profile(100, latched=True)
"""Events that stay useful for a while: late or restarted subscribers receive the last 100."""

CALLS = _profile(100)
"""Services and actions: with the default depth of ten, the oldest of more simultaneous requests would be dropped."""

SENSOR = _profile(10, reliable=False)
"""Sensor streams, in which a late sample is worthless."""

LATEST = _profile(1, reliable=False)
"""Streams of which a reader wants only the newest sample."""

AUDIO = _profile(100)
"""Audio: two seconds of buffer, because a lost chunk is a lost word."""


def heartbeat_profile(deadline: float) -> QoSProfile:
    """Returns the profile of heartbeats of which one is due at least every `deadline` seconds."""
    return _profile(1, deadline=deadline)


HEARTBEAT = heartbeat_profile(HEARTBEAT_DEADLINE)
"""Heartbeats of a publisher. The deadline is what it offers; a subscription must not request a shorter one."""
