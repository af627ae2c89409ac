"""The sound of one utterance, made piece by piece before it is heard."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from reachy_agent_ros.audio.samples import Samples
from reachy_agent_ros.tts.utterance import SpeechItem
from reachy_agent_ros.tts.voice import Voice

AHEAD = 4
"""Pieces, of a second at most, made before they are heard: they outlast what else the machine may have to do."""

SENTENCE_ENDS = (".", "!", "?", ":", ";")
PAUSES = (",", *SENTENCE_ENDS)

LEAST_WORDS = 2
"""A pause after fewer words than this does not end a clause: the voice would stutter."""

MOST_WORDS = 12
"""A clause ends here in any case: its whole sound is made before its first sample is heard."""


@dataclass(frozen=True)
class ClausePiece:
    """A piece of an utterance's sound.

    Attributes:
        clause: That it is a part of.
        samples: At the utterance's volume.
        rest: Samples of the clause that follow it, as far as is known.
        first: Whether it is the clause's first.
    """

    clause: str
    samples: Samples
    rest: int
    first: bool


class Synthesis:
    """Has an utterance's sound made, a few pieces before they are asked for.

    Args:
        thread: The one thread in which voices are used.
        voice: Makes the sound.
        utterance: What to say.
        foresee: Called with every piece of sound, in the thread that calls `show` and `advance`.
    """

    def __init__(
        self, thread: ThreadPoolExecutor, voice: Voice, utterance: SpeechItem, foresee: Callable[[Samples], None]
    ) -> None:
        self._thread = thread
        self._pieces = _pieces(voice, utterance)
        self._foresee = foresee
        self._coming: deque[Future[ClausePiece | None]] = deque()
        self._unseen: deque[Future[ClausePiece | None]] = deque()
        self._fill()

    @property
    def next(self) -> Future[ClausePiece | None]:
        """The next piece, None after the last one."""
        return self._coming[0]

    def advance(self) -> None:
        """Takes the next piece, which is there, and has one more made."""
        self.show()
        self._coming.popleft()
        self._fill()

    def show(self) -> None:
        """Has every piece that is made foreseen, once."""
        while self._unseen and self._unseen[0].done() and self._unseen[0].exception() is None:
            piece = self._unseen.popleft().result()
            if piece is not None and piece.samples.size:
                self._foresee(piece.samples)

    def stop(self) -> None:
        """Has no more made; a piece that is under way is still ended."""
        for future in self._coming:
            future.cancel()

    def _fill(self) -> None:
        while len(self._coming) < AHEAD:
            future = self._thread.submit(next, self._pieces, None)
            self._coming.append(future)
            self._unseen.append(future)


def split_clauses(text: str) -> list[str]:
    """Splits text where a speaker would pause, so that the first sound need not wait for the last word.

    Joined with single spaces the clauses are the words of `text`, in their order.
    """
    clauses: list[str] = []
    words: list[str] = []
    for word in text.split():
        words.append(word)
        bare = word.rstrip("\"')]")
        ends = bare.endswith(SENTENCE_ENDS) or (bare.endswith(PAUSES) and len(words) >= LEAST_WORDS)
        if ends or len(words) >= MOST_WORDS:
            clauses.append(" ".join(words))
            words = []
    return [*clauses, " ".join(words)] if words else clauses


def _pieces(voice: Voice, utterance: SpeechItem) -> Iterator[ClausePiece]:
    for clause in split_clauses(utterance.text):
        for number, piece in enumerate(voice.pieces(clause, utterance.speed)):
            samples = (piece.samples * utterance.volume).astype(np.int16)
            yield ClausePiece(clause, samples, piece.rest, number == 0)
