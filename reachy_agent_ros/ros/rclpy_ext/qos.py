"""The quality-of-service profiles of the graph, named once."""

from rclpy.duration import Duration
from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile, ReliabilityPolicy

HEARTBEAT_PERIOD = 0.1
"""Seconds between two heartbeats of a node."""

HEARTBEAT_DEADLINE = 0.3
"""Seconds of silence after which the commander of a motion counts as lost: three missed beats. The robot must hold
half a second after its commander died, and needs the rest to slow down."""

HEARTBEAT_PATIENCE = 0.6
"""Seconds of silence after which a dead server counts as lost for those who wait for it."""

HANG_PATIENCE = 3.0
"""Seconds of silence after which a server counts as lost for those who wait for it although its process runs: one that
loads a model, or has no core to itself, misses beats, and a false alarm would cost them an answer."""


def _profile(depth: int, *, reliable: bool = True, latched: bool = False, deadline: float | None = None) -> QoSProfile:
    """Keeps the last `depth` messages; a latched profile also gives them to subscribers that join later."""
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
"""The latest value, also for subscribers that join later."""

RECENT = _profile(100, latched=True)
"""Events that stay useful for a while: a subscriber that restarts receives them too."""

CALLS = _profile(100)
"""Goals, results and their requests: of more than the default's ten at once the oldest would vanish unanswered."""

SENSOR = _profile(10, reliable=False)
"""Streams in which a late sample is worthless."""

LATEST = _profile(1, reliable=False)
"""For a reader that wants the newest picture, never a queue of old ones."""

AUDIO = _profile(100)
"""Sound: two seconds of slack, because a lost chunk is a lost word."""


def heartbeat_profile(deadline: float) -> QoSProfile:
    """Heartbeats, of which one is due at least every `deadline` seconds."""
    return _profile(1, deadline=deadline)


HEARTBEAT = heartbeat_profile(HEARTBEAT_DEADLINE)
"""For the sender: what it promises. A listener asks for no less, and the middleware tells it when a beat is missing."""
