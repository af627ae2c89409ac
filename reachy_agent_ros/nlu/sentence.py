"""A sentence cut into clauses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reachy_agent_ros.nlu.text import Word, joined

_SEQUENCE = {"then", "afterwards", "afterward"}
_QUOTES = '"“”'


@dataclass(frozen=True)
class Part:
    """One clause of a sentence.

    Attributes:
        words: Its words, without the punctuation around it.
        sequential: Whether it is to come after the clause before it, not along with it.
        corrects: Whether it is said instead of the clause before it.
    """

    words: tuple[Word, ...]
    sequential: bool
    corrects: bool = False

    @property
    def text(self) -> str:
        """The words with single blanks between."""
        return joined(self.words)


def parts_of(words: Sequence[Word]) -> list[Part]:
    """Cuts at punctuation, "and", "then" and "after that", but not within quotation marks."""
    parts: list[Part] = []
    current: list[Word] = []
    sequential = quoted = False
    for index, word in enumerate([*words, Word(".", 0, 0)]):
        quoted ^= word.text in _QUOTES
        in_sequence = word.text in _SEQUENCE or _is_after_that(words, index)
        cuts = in_sequence or word.text == "and" or (word.is_mark and word.text not in _QUOTES)
        if not cuts or (quoted and index < len(words)):
            current.append(word)
            continue
        if current:
            parts.append(Part(tuple(current), sequential))
            current, sequential = [], False
        sequential |= in_sequence
    return parts


def _is_after_that(words: Sequence[Word], index: int) -> bool:
    texts = [word.text for word in words]
    return texts[index : index + 2] == ["after", "that"] or texts[max(0, index - 1) : index + 1] == ["after", "that"]
