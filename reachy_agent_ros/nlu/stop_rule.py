"""What a stop in somebody's words does to the robot: the one place that decides between holding and the emergency stop.

In a conversation, a sentence that is a stop and nothing else ("stop", "please hold still") holds the robot, and the
next command moves it again. A cry of danger, pain or anger ("let go of my finger") latches the emergency stop, which
somebody has to reset. In feedback no command is expected, so every urgent stop latches, a bare "stop" too.

The agent carries out the first (`Decision.stops`), the feedback node the second; both are asked about every sentence.
"""

from __future__ import annotations

from enum import StrEnum

from reachy_agent_ros.nlu.intent_recognizer import CommandRecognizer
from reachy_agent_ros.nlu.stop.emergency_stop_detector import is_urgent_stop
from reachy_agent_ros.nlu.vocabulary import Vocabulary


class Stop(StrEnum):
    """What a text does."""

    NONE = ""
    HOLD = "hold"
    EMERGENCY = "now"


class StopRule:
    """Decides by patterns alone, in about a millisecond. Use it from one thread."""

    def __init__(self) -> None:
        self._commands = CommandRecognizer(Vocabulary((), ()))

    def in_conversation(self, text: str) -> Stop:
        """What a sentence does that is said or typed to the robot."""
        if self._commands.decide(text).stops:
            return Stop.HOLD
        return self.in_feedback(text)

    @staticmethod
    def in_feedback(text: str) -> Stop:
        """What a text does that judges the robot."""
        return Stop.EMERGENCY if is_urgent_stop(text) else Stop.NONE
