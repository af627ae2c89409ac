"""The quality-of-service profiles of the graph, named once."""

from rclpy.duration import Duration
from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile, ReliabilityPolicy

HEARTBEAT_PERIOD = 0.1
"""Seconds between two heartbeats of a node."""

HEARTBEAT_DEADLINE = 0.3
"""Seconds of silence after which a node counts as lost: three missed beats, and time left to hold within 0.5 s."""

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

AUDIO = QoSProfile(
    history=HistoryPolicy.KEEP_LAST,
    depth=100,
    reliability=ReliabilityPolicy.RELIABLE,
    durability=DurabilityPolicy.VOLATILE,
)
"""Sound: three seconds of slack, because a lost chunk is a lost word."""

HEARTBEAT = QoSProfile(
    history=HistoryPolicy.KEEP_LAST,
    depth=1,
    reliability=ReliabilityPolicy.RELIABLE,
    durability=DurabilityPolicy.VOLATILE,
    deadline=Duration(seconds=HEARTBEAT_DEADLINE),
)
"""Both ends: the middleware itself tells when a beat is missing."""
