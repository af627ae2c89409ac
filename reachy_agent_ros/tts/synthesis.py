"""Synthesis of an utterance in segments, ahead of playback."""

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
"""Number of pieces, at most 1 s each if the voice can stream, synthesized ahead of playback to bridge high load."""

SENTENCE_ENDS = (".", "!", "?", ":", ";")
PAUSES = (",", *SENTENCE_ENDS)

LEAST_WORDS = 2
"""Minimum number of words before a comma that ends a clause, so that the voice does not stutter."""

MOST_WORDS = 12
"""Maximum number of words in a clause, because a voice that cannot stream synthesizes it before the first sound."""


@dataclass(frozen=True)
class ClausePiece:
    """Audio segment of an utterance.

    Attributes:
        clause: Clause that contains the piece.
        samples: Samples at the utterance's volume.
        rest: Number of samples of the clause that follow, as far as is known.
        first: Whether it is the first piece of the clause.
    """

    clause: str
    samples: Samples
    rest: int
    first: bool


class Synthesis:
    """Synthesis of an utterance. Runs a few segments ahead of the playback.

    Args:
        thread: Executor with the only thread that uses voices.
        voice: Voice of the utterance.
        utterance: Utterance to synthesize.
        foresee: Callback in the thread that calls `show` and `advance`, with every piece of sound.
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
        """Future of the next segment. The result is None after the last segment."""
        return self._coming[0]

    def advance(self) -> None:
        """Removes the next segment, which must be complete, and requests another segment."""
        self.show()
        self._coming.popleft()
        self._fill()

    def show(self) -> None:
        """Calls `foresee` with every newly completed segment."""
        while self._unseen and self._unseen[0].done() and self._unseen[0].exception() is None:
            piece = self._unseen.popleft().result()
            if piece is not None and piece.samples.size:
                self._foresee(piece.samples)

    def stop(self) -> None:
        """Stops the synthesis after the current segment."""
        for future in self._coming:
            future.cancel()

    def _fill(self) -> None:
        while len(self._coming) < AHEAD:
            future = self._thread.submit(next, self._pieces, None)
            self._coming.append(future)
            self._unseen.append(future)


def split_clauses(text: str) -> list[str]:
    """Splits text at natural pauses, so that speech can start before the whole text is synthesized.

    The clauses, joined with single spaces, contain all words of `text` in order.
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
