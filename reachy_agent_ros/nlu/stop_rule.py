"""Decides whether a stop in a text holds the robot or latches the emergency stop.

In a conversation, a sentence that is a stop and nothing else ("stop", "please hold still") holds the robot, and the
next command moves it again. A cry of danger, pain or anger ("let go of my finger") latches the emergency stop, which
a person has to reset. In feedback no command is expected, so every urgent stop latches, even a plain "stop".

The agent carries out the hold (`Decision.stops`). The emergency stop must not depend on the agent, which may hang: the
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
    """Kind of stop in a text."""

    NONE = ""
    HOLD = "hold"
    EMERGENCY = "now"


def stop_in_conversation(text: str, decision: Decision) -> Stop:
    """Returns the kind of stop in a sentence that is said or typed to the robot.

    Args:
        text: Sentence.
        decision: Decision of the agent's recognizer about the sentence.
    """
    return Stop.HOLD if decision.stops else stop_in_feedback(text)


def stop_in_feedback(text: str) -> Stop:
    """Returns the kind of stop in a text that is feedback about the robot."""
    return Stop.EMERGENCY if is_urgent_stop(text) else Stop.NONE


@lru_cache(maxsize=TEXTS_KEPT)
def is_held_by_agent(text: str) -> bool:
    """Returns whether the agent holds the robot at a sentence, for processes that leave such a stop to the agent.

    Takes about 0.2 ms, and no time for cached texts: a final transcript often repeats its draft. Ignores emotions and
    dances, and therefore finds fewer stops than the agent ("dance stop"), but none that the agent does not find: no
    stop that is left to the agent is missed.
    """
    return _recognizer().decide(text).stops


@cache
def _recognizer() -> CommandRecognizer:
    return CommandRecognizer(Vocabulary((), ()))
