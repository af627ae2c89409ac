"""The robot's own voice, which its ears must not take for a person's."""

from __future__ import annotations

import re
import time

COOL_DOWN = 0.3
"""Seconds after the voice ended in which the room still answers."""

STALE = 2.0
"""Seconds without news after which a voice counts as silent: its node may have died in mid-word."""

LONGEST_STOP = 4
"""Words. A longer sentence with "stop" in it while the robot speaks is more likely the robot's."""

_STOP = re.compile(r"\bstop\b", re.IGNORECASE)


class OwnVoice:
    """Half duplex: while the robot speaks its ears are muted, for everything but a short "stop".

    That word passes where the person's voice reaches the recogniser by itself: sound from a topic or a file, a
    microphone with echo cancellation, or a robot whose sink is not a speaker. With the robot's voice in the same
    microphone the two are one long utterance, and "stop" is heard only if the robot pauses.
    """

    def __init__(self) -> None:
        self._muted_until = -float("inf")
        self._says_stop = False
        self._text = ""

    def update(self, speaking: bool, text: str) -> None:
        """Takes the voice's state: whether it speaks, and the clause it says."""
        now = time.monotonic()
        self._text = text
        if not self.muted:
            self._says_stop = False
        if speaking:
            self._muted_until = now + STALE
            self._says_stop |= bool(_STOP.search(text))
        elif now < self._muted_until:
            self._muted_until = min(self._muted_until, now + COOL_DOWN)

    @property
    def text(self) -> str:
        """The clause it says, or said last."""
        return self._text

    @property
    def muted(self) -> bool:
        """Whether the robot speaks, or spoke just now."""
        return time.monotonic() < self._muted_until

    def lets_pass(self, text: str) -> bool:
        """Whether a text heard while muted is a person's stop."""
        return not self._says_stop and len(text.split()) <= LONGEST_STOP and bool(_STOP.search(text))
