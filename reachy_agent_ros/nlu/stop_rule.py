"""What a stop in somebody's words does to the robot: the one place that decides between holding and the emergency stop.

In a conversation, a sentence that is a stop and nothing else ("stop", "please hold still") holds the robot, and the
next command moves it again. A cry of danger, pain or anger ("let go of my finger") latches the emergency stop, which
somebody has to reset. In feedback no command is expected, so every urgent stop latches, a bare "stop" too.

The agent carries out the first (`Decision.stops`). The second must not depend on the agent, which may hang: the
feedback node reads every transcript itself, and the gateway every chat message.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache, lru_cache

from reachy_agent_ros.nlu.decision import Decision
from reachy_agent_ros.nlu.intent_recognizer import CommandRecognizer
from reachy_agent_ros.nlu.stop.emergency_stop_detector import TEXTS_KEPT, is_urgent_stop
from reachy_agent_ros.nlu.vocabulary import Vocabulary


class Stop(StrEnum):
    """What a text does."""

    NONE = ""
    HOLD = "hold"
    EMERGENCY = "now"


def stop_in_conversation(text: str, decision: Decision) -> Stop:
    """What a sentence does that is said or typed to the robot.

    Args:
        text: The sentence.
        decision: What the agent's recognizer made of it.
    """
    return Stop.HOLD if decision.stops else stop_in_feedback(text)


def stop_in_feedback(text: str) -> Stop:
    """What a text does that judges the robot."""
    return Stop.EMERGENCY if is_urgent_stop(text) else Stop.NONE


@lru_cache(maxsize=TEXTS_KEPT)
def is_held_by_agent(text: str) -> bool:
    """Whether the agent holds the robot at a sentence, for processes that leave such a stop to it.

    It takes about 0.2 ms by patterns alone, and no time for the latest texts: a final transcript often repeats its
    draft. It knows no emotions or dances, so it finds fewer stops than the agent ("dance stop"), but none that the
    agent does not find: what is left to the agent is never missed.
    """
    return _recognizer().decide(text).stops


@cache
def _recognizer() -> CommandRecognizer:
    return CommandRecognizer(Vocabulary((), ()))
