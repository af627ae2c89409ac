"""Barge-in detection: decides whether a person interrupts the robot."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum

_HALT = re.compile(r"\b(?:stop|wait|no)\b", re.IGNORECASE)

_BACKCHANNEL = re.compile(
    r"\W*(?:(?:m+|h+m+|m+h+m+|a?hu[hm]|u+h+|huh|aha|ajá|aham|o\.?k(?:ay)?|yes|yeah|yep|i see|"
    r"ja|genau|ach so|oui|ouais|d'accord|sí|vale|sì|sim|pois é)(?:\W+|$)){1,4}",
    re.IGNORECASE,
)
"""Match of words that a listener says to show attention, in six languages, up to four of them."""


class BargeInStage(IntEnum):
    """Stage of an interruption, equivalent to the constants of the message `BargeIn`."""

    SUSPECTED = 0
    CONFIRMED = 1
    DISMISSED = 2


@dataclass(frozen=True)
class BargeInRules:
    """Thresholds for an interruption of the robot. Lengths are in frames of 32 ms.

    The detector is about two frames late, or up to eight for soft beginnings, so the person has been speaking for that
    much longer.

    Attributes:
        probability: Minimum probability of a speech frame.
        suspect: Speech frames that raise a suspicion.
        confirm: Speech frames that confirm it. A cough has six at most, a "stop" nine at least.
        sound: Frames with any sound up to a speech frame that confirm it sooner, as speech that began softly.
        longest_sound: Maximum number of those frames: a longer sound is not the beginning of speech.
        gap: Allowed frames without speech or sound in between, as in a "p" or "t".
        dismiss: Frames without speech that dismiss a suspicion.
        backchannel: Speech frames that confirm a suspicion although the person has only said "mm" or "yes yes".
    """

    probability: float = 0.6
    suspect: int = 2
    confirm: int = 7
    sound: int = 6
    longest_sound: int = 12
    gap: int = 2
    dismiss: int = 5
    backchannel: int = 25


class BargeIn:
    """State machine that detects interruptions in frames without the robot's voice. Uses no clock and no threads.

    Attributes:
        text: Transcription so far.
        stop: Whether a transcription contained "stop", "wait" or "no" from the person, which also stops the body.

    Args:
        rules: Thresholds for an interruption.
    """

    def __init__(self, rules: BargeInRules) -> None:
        self._rules = rules
        self.reset()

    @property
    def suspected(self) -> bool:
        """Whether an interruption is suspected, but neither confirmed nor dismissed."""
        return self._stage is BargeInStage.SUSPECTED

    @property
    def confirmed(self) -> bool:
        """Whether an interruption is confirmed."""
        return self._stage is BargeInStage.CONFIRMED

    @property
    def silence(self) -> int:
        """Number of frames since the last speech frame."""
        return self._silent

    @property
    def begun(self) -> int:
        """Number of frames since the speech began."""
        return self._age

    def reset(self) -> None:
        """Resets the state. Call this at the end of an utterance or a stream."""
        self._stage: BargeInStage | None = None
        self._voiced = self._silent = self._age = 0
        self._sounding = self._quiet = 0
        self.text = ""
        self.stop = False
        self._backchannel = False

    def push(self, probability: float, sounds: bool, robot_speaks: bool) -> BargeInStage | None:
        """Processes the next frame. Returns the new stage if it has changed, otherwise None.

        Speech that begins while the robot is silent is not an interruption.

        Args:
            probability: Probability that the frame is speech, 0 to 1.
            sounds: Whether the frame stands out from the room's noise.
            robot_speaks: Whether the robot is speaking.
        """
        if self._stage is None and not robot_speaks:
            self.reset()
            return None
        self._count(probability >= self._rules.probability, sounds)
        if self._stage is None and self._voiced >= self._rules.suspect:
            return self._enter(BargeInStage.CONFIRMED if self._settled else BargeInStage.SUSPECTED)
        if self.suspected and self._settled:
            return self._enter(BargeInStage.CONFIRMED)
        if self.suspected and self._silent >= self._rules.dismiss:
            self.reset()
            return BargeInStage.DISMISSED
        return None

    def understand(self, text: str, robot_says: str) -> BargeInStage | None:
        """Processes the partial transcript of the utterance. Ignores words that the robot is saying.

        A backchannel such as "mm" or "yes yes" delays the confirmation until the person says more.

        A word does not confirm a suspicion: with commands in its prompt, the recognizer transcribes many coughs as
        "Stop!".

        Returns:
            `CONFIRMED` if `stop` is added to a confirmed interruption; otherwise None, and a later confirmation
            includes `stop`.
        """
        if self._stage is None:
            return None
        self.text = text
        self._backchannel = is_backchannel(text)
        own = {word.lower() for word in _HALT.findall(robot_says)}
        if self.stop or not {word.lower() for word in _HALT.findall(text)} - own:
            return None
        self.stop = True
        return self._stage if self.confirmed else None

    @property
    def _settled(self) -> bool:
        """Whether the speech up to now is sufficient to confirm a suspected interruption."""
        if self._backchannel and self._voiced < self._rules.backchannel:
            return False
        began_softly = self._silent == 0 and self._rules.sound <= self._sounding <= self._rules.longest_sound
        return began_softly or self._voiced >= self._rules.confirm

    def _enter(self, stage: BargeInStage) -> BargeInStage:
        self._stage = stage
        return stage

    def _count(self, speech: bool, sounds: bool) -> None:
        self._age += 1
        self._quiet = 0 if sounds else self._quiet + 1
        self._sounding = 0 if self._quiet > self._rules.gap else self._sounding + sounds
        if speech:
            self._voiced, self._silent = self._voiced + 1, 0
            return
        self._silent += 1
        if self._stage is None and self._silent > self._rules.gap:
            self._voiced = self._age = 0


def is_backchannel(text: str) -> bool:
    """Returns whether a text consists of words that show attention, such as "mm" or "yes yes"."""
    return _BACKCHANNEL.fullmatch(text) is not None
