"""The quality-of-service profiles of the graph, named once."""

from rclpy.duration import Duration
from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile, ReliabilityPolicy

HEARTBEAT_PERIOD = 0.1
"""Seconds between two heartbeats of a node."""

HEARTBEAT_DEADLINE = 0.3
"""Seconds of silence after which whoever commands the robot counts as lost: three missed beats. The robot must hold
half a second after its commander died, and needs the rest to slow down."""

HEARTBEAT_PATIENCE = 0.6
"""Seconds of silence after which a dead server counts as lost for those who wait for it."""

HANG_PATIENCE = 3.0
"""Seconds of silence after which a server counts as lost for those who wait for it although its process runs: one that
loads a model, or has no core to itself, misses beats, and a false alarm would cost them an answer."""

STANDARD = QoSProfile(
    history=HistoryPolicy.KEEP_LAST,
    depth=10,
    reliability=ReliabilityPolicy.RELIABLE,
    durability=DurabilityPolicy.VOLATILE,
)
"""Events and commands."""

LATCHED = QoSProfile(
    history=HistoryPolicy.KEEP_LAST,
    depth=1,
    reliability=ReliabilityPolicy.RELIABLE,
    durability=DurabilityPolicy.TRANSIENT_LOCAL,
)
"""The latest value, also for those who join late."""

RECENT = QoSProfile(
    history=HistoryPolicy.KEEP_LAST,
    depth=100,
    reliability=ReliabilityPolicy.RELIABLE,
    durability=DurabilityPolicy.TRANSIENT_LOCAL,
)
"""Events that are of use for a while: whoever was started again meanwhile is told of them too."""

CALLS = QoSProfile(
    history=HistoryPolicy.KEEP_LAST,
    depth=100,
    reliability=ReliabilityPolicy.RELIABLE,
    durability=DurabilityPolicy.VOLATILE,
)
"""Goals, results and their requests: of more than the default's ten at once the oldest would vanish unanswered."""

SENSOR = QoSProfile(
    history=HistoryPolicy.KEEP_LAST,
    depth=10,
    reliability=ReliabilityPolicy.BEST_EFFORT,
    durability=DurabilityPolicy.VOLATILE,
)
"""Streams in which a late sample is worthless."""

LATEST = QoSProfile(
    history=HistoryPolicy.KEEP_LAST,
    depth=1,
    reliability=ReliabilityPolicy.BEST_EFFORT,
    durability=DurabilityPolicy.VOLATILE,
)
"""Of a reader that wants the newest picture, never a queue of old ones."""

AUDIO = QoSProfile(
    history=HistoryPolicy.KEEP_LAST,
    depth=100,
    reliability=ReliabilityPolicy.RELIABLE,
    durability=DurabilityPolicy.VOLATILE,
)
"""Sound: two seconds of slack, because a lost chunk is a lost word."""


def heartbeat_profile(deadline: float) -> QoSProfile:
    """Heartbeats, of which one is due at least every `deadline` seconds."""
    return QoSProfile(
        history=HistoryPolicy.KEEP_LAST,
        depth=1,
        reliability=ReliabilityPolicy.RELIABLE,
        durability=DurabilityPolicy.VOLATILE,
        deadline=Duration(seconds=deadline),
    )


HEARTBEAT = heartbeat_profile(HEARTBEAT_DEADLINE)
"""Of the sender: what it promises. A listener asks for no less, and the middleware tells it when a beat is missing."""
