"""Rules that decide the effect of a stop in a text: the robot holds its pose, or the emergency stop is latched.

| | danger, pain, anger, a shouted stop | plain "stop" | calm "that will do, thanks" |
| --- | --- | --- | --- |
| in a conversation | latches | holds | holds |
| in feedback | latches | latches | nothing |

A hold is reversible: the next command moves the robot again. A latched emergency stop has to be reset by a person. In
feedback, no command is expected, so a plain "stop" is meant as an emergency. The node `feedback` treats a text of more
than 20,000 characters as feedback, also in a conversation.

The agent carries out the hold (`Decision.stops`). The emergency stop must not depend on the agent, which may hang: the
feedback node reads every transcript itself, and the gateway every chat message.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache, lru_cache

from reachy_agent_ros.motion.dance import dances
from reachy_agent_ros.motion.emotion import emotions
from reachy_agent_ros.nlu.command_recognizer import CommandRecognizer
from reachy_agent_ros.nlu.decision import Decision
from reachy_agent_ros.nlu.stop.lexicon import StopLevel
from reachy_agent_ros.nlu.stop.stop_detector import TEXTS_KEPT, stop_detector
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
    if is_cry(text):
        return Stop.EMERGENCY
    return Stop.HOLD if decision.stops else Stop.NONE


def stop_in_feedback(text: str) -> Stop:
    """Returns the kind of stop in a text that is feedback about the robot."""
    return Stop.EMERGENCY if is_urgent_stop(text) else Stop.NONE


def is_urgent_stop(text: str) -> bool:
    """Returns whether a text is a plain or urgent stop. As feedback, both latch the emergency stop."""
    return stop_detector().level(text) >= StopLevel.PLAIN


def is_cry(text: str) -> bool:
    """Returns whether a text is a shouted stop or reports danger, pain or anger, which latches the emergency stop.

    A command that the recognizer understands is not a cry.
    """
    return stop_detector().level(text) is StopLevel.URGENT and _stops(text)


def is_held_by_agent(text: str) -> bool:
    """Returns whether a sentence makes the agent stop the robot, so that other processes do not need to stop it.

    Takes about 2 ms, and no time for cached texts: a final transcript often repeats its draft.
    """
    return _stops(text) and not is_cry(text)


@lru_cache(maxsize=TEXTS_KEPT)
def _stops(text: str) -> bool:
    return _recognizer().decide(text).stops


@cache
def _recognizer() -> CommandRecognizer:
    return CommandRecognizer(Vocabulary(emotions(), dances()))
