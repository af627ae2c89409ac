"""What a commander is told."""

from __future__ import annotations

from dataclasses import dataclass

from reachy_agent_ros.core.pose import Matrix


@dataclass(frozen=True)
class Answer:
    """What came of a sentence.

    Attributes:
        reply: What the agent answered.
        agent: Who answered: "reflex", "coordinator", "robot".
        tools: Tools that were called, in order.
        session: Conversation it belongs to.
        turn_id: Of the turn, as `reachy-agent trace` knows it.
    """

    reply: str
    agent: str
    tools: tuple[str, ...]
    session: str
    turn_id: str


@dataclass(frozen=True)
class Measured:
    """Where the robot is, as it was measured.

    Attributes:
        head: 4x4 transform of `head` in `head_base`, m.
        body_yaw: rad, positive to the left.
        antennas: Right and left, rad.
        clamped: Fields of the command that the safety gate clamped; empty where none was, or nothing was commanded.
    """

    head: Matrix
    body_yaw: float
    antennas: tuple[float, float]
    clamped: tuple[str, ...] = ()
