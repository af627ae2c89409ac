"""Whether somebody speaks over the robot, and means it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum

_HALT = re.compile(r"\b(?:stop|wait|no)\b", re.IGNORECASE)


class BargeInStage(IntEnum):
    """Mirror of `BargeIn`'s constants."""

    SUSPECTED = 0
    CONFIRMED = 1
    DISMISSED = 2


@dataclass(frozen=True)
class BargeInRules:
    """When speech over the robot's own counts. Lengths are in frames of 32 ms.

    The detector notices speech about two frames late, and soft beginnings up to eight: add those to see how long
    somebody has spoken.

    Attributes:
        probability: From here on a frame is speech.
        suspect: Speech frames that raise the suspicion.
        confirm: Speech frames that settle it. A cough has fewer: six at most, where a "stop" has nine at least.
        sound: Frames with any sound up to the suspicion that settle it at once: it is speech that began softly.
        longest_sound: Above this they do not: what sounds for longer is not its beginning.
        gap: Frames without speech, or sound, that may lie between: the closure of a "p" or "t".
        dismiss: Frames without speech that end a suspicion.
    """

    probability: float = 0.6
    suspect: int = 2
    confirm: int = 7
    sound: int = 6
    longest_sound: int = 12
    gap: int = 2
    dismiss: int = 5


class BargeIn:
    """A state machine over frames; it knows no clock and no thread. The frames must be free of the robot's own voice.

    Attributes:
        text: What was understood so far.
        stop: Whether it holds "stop", "wait" or "no", which stops the body too.

    Args:
        rules: When speech counts.
    """

    def __init__(self, rules: BargeInRules) -> None:
        self._rules = rules
        self.reset()

    @property
    def suspected(self) -> bool:
        """Whether it is undecided."""
        return self._stage is BargeInStage.SUSPECTED

    @property
    def confirmed(self) -> bool:
        """Whether somebody has the turn."""
        return self._stage is BargeInStage.CONFIRMED

    @property
    def silence(self) -> int:
        """Frames since the last speech."""
        return self._silent

    @property
    def begun(self) -> int:
        """Frames since the speech began."""
        return self._age

    def reset(self) -> None:
        """Ends it: the utterance is complete, or the stream."""
        self._stage: BargeInStage | None = None
        self._voiced = self._silent = self._age = 0
        self._sounding = self._quiet = 0
        self.text = ""
        self.stop = False

    def push(self, probability: float, sounds: bool, robot_speaks: bool) -> BargeInStage | None:
        """Takes the next frame. Returns the stage it leads to, if that is another one.

        Nothing begins while the robot is silent: then it is no interruption.

        Args:
            probability: That it is speech.
            sounds: Whether anything stands out in it.
            robot_speaks: Whether the robot does.
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
        """Takes what was understood so far; a word that the robot says itself does not count.

        A word does not settle a suspicion: a recogniser that is told to expect commands reads "Stop!" in many a cough.

        Returns:
            `CONFIRMED` if it adds `stop` to what was confirmed before; to what is confirmed later it is added then.
        """
        if self._stage is None:
            return None
        self.text = text
        own = {word.lower() for word in _HALT.findall(robot_says)}
        if self.stop or not {word.lower() for word in _HALT.findall(text)} - own:
            return None
        self.stop = True
        return self._stage if self.confirmed else None

    @property
    def _settled(self) -> bool:
        """Whether a suspicion is to be believed."""
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
