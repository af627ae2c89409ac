"""Segmentation of sentences into clauses. Sorts clauses by order of execution, and applies corrections."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from reachy_agent_ros.nlu.dances import is_within_name
from reachy_agent_ros.nlu.text import Word, base_form, joined

_SEQUENCE = {"then", "afterwards", "afterward"}
_QUOTES = '"“”'

_OPENING = r"(?:(?:wait|oh|ah|uh|um) )*"
_TAKES_BACK = (
    r"(?:no|nope|sorry|i mean|i meant|(?:or )?rather(?! than)|not that|make (?:that|it)|actually(?: no)?|scratch that|"
    r"correction|"
    r"(?:no )?forget (?:that|it)|never ?mind|on second thoughts?|changed my mind|i changed my mind)"
)
_HESITATES = re.compile(r"(?:(?:oh|ah|uh|um) )*(?:wait|hang on|hold on|oh|ah|uh|um|hmm)(?: (?:a (?:second|moment)))?")
_CORRECTION = rf"{_OPENING}{_TAKES_BACK}(?: (?:{_TAKES_BACK}|wait))*+"

_STARTS = re.compile(rf"{_CORRECTION}(?= |$)")
_WITHIN = re.compile(rf" (?P<correction>{_CORRECTION})(?= |$)")


@dataclass(frozen=True)
class SentencePart:
    """Clause of a sentence.

    Attributes:
        words: Words, without surrounding punctuation.
        sequential: Whether the clause follows the one before it, instead of running at the same time.
        corrects: Whether the clause replaces the one before it.
    """

    words: tuple[Word, ...]
    sequential: bool
    corrects: bool = False

    @property
    def text(self) -> str:
        """Words of the clause, separated by single spaces."""
        return joined(self.words)


def parts_of(words: Sequence[Word], names: Sequence[str] = ()) -> list[SentencePart]:
    """Splits words into clauses at punctuation, "and", "then" and "after that", but not within quotations and names.

    Args:
        words: Words of a sentence.
        names: Names of dances in spoken form, which may contain "and".
    """
    texts = [word.text for word in words]
    parts: list[SentencePart] = []
    current: list[Word] = []
    sequential = quoted = False
    for index, word in enumerate([*words, Word(".", 0, 0)]):
        quoted ^= word.text in _QUOTES
        in_sequence = word.text in _SEQUENCE or _is_after_that(words, index)
        is_and = word.text == "and" and not is_within_name(texts, index, names)
        cuts = in_sequence or is_and or (word.is_mark and word.text not in _QUOTES)
        if not cuts or (quoted and index < len(words)):
            current.append(word)
            continue
        if current:
            parts.append(SentencePart(tuple(current), sequential))
            current, sequential = [], False
        sequential |= in_sequence
    return parts


def _is_after_that(words: Sequence[Word], index: int) -> bool:
    texts = [word.text for word in words]
    return texts[index : index + 2] == ["after", "that"] or texts[max(0, index - 1) : index + 1] == ["after", "that"]


def in_order(parts: Iterable[SentencePart], is_command: Callable[[str], bool]) -> list[SentencePart]:
    """Splits clauses at "before", "after" and "followed by", and sorts the results by order of execution.

    Examples are "nod after looking up" and "look left followed by a nod".

    Args:
        parts: Clauses of one sentence.
        is_command: Returns whether a text alone is a command: "look before you leap" specifies no order.
    """
    return [piece for part in parts for piece in _ordered(part, is_command)]


def _ordered(part: SentencePart, is_command: Callable[[str], bool]) -> Iterator[SentencePart]:
    texts = [word.text for word in part.words]
    for index in range(1, len(texts) - 1):
        before, after = part.words[:index], part.words[index + 1 :]
        if texts[index : index + 2] == ["followed", "by"]:
            after = part.words[index + 2 :]
        elif texts[index] in ("before", "after"):
            after = _commanding(after)
        else:
            continue
        if after and is_command(joined(before)) and is_command(joined(after)):
            first, second = (after, before) if texts[index] == "after" else (before, after)
            yield replace(part, words=tuple(first))
            yield SentencePart(tuple(second), sequential=True)
            return
    yield part


def _commanding(words: Sequence[Word]) -> tuple[Word, ...]:
    """Turns a gerund phrase into a command: "nodding twice" becomes "nod twice". Returns () for other phrases."""
    base = base_form(words[0].text) if words[0].text.endswith("ing") else None
    return () if base is None else (replace(words[0], text=base), *words[1:])


def corrections(parts: Iterable[SentencePart], is_command: Callable[[str], bool]) -> list[SentencePart]:
    """Marks clauses that correct the previous clause, as in "look left, no, right", even if a comma is missing.

    Args:
        parts: Clauses of one sentence.
        is_command: Returns whether a text alone is a command: "say no to that" corrects nothing.

    Returns:
        Clauses without the correcting words. If nothing follows them, the last clause has no words.
    """
    found: list[SentencePart] = []
    pending = False
    pieces = [piece for whole in parts for piece in _cut(whole, is_command)]
    for part, after in zip(pieces, [*pieces[1:], None], strict=False):
        if found and after is not None and _HESITATES.fullmatch(part.text) and _STARTS.match(after.text):
            continue  # the "wait" of "wait, no, right" is not a stop
        rest = _without_correction(part) if found else part
        if not rest.words:
            pending = True
            continue
        found.append(replace(rest, corrects=rest.corrects or pending))
        pending = False
    return [*found, SentencePart((), False, corrects=True)] if pending else found


def _cut(part: SentencePart, is_command: Callable[[str], bool]) -> Iterator[SentencePart]:
    if is_command(part.text):  # "shake your head no"
        yield part
        return
    for match in _WITHIN.finditer(part.text):
        if is_command(part.text[: match.start()]):
            before = len(part.text[: match.start()].split())
            yield replace(part, words=part.words[:before])
            yield replace(part, words=part.words[before:], sequential=False)
            return
    yield part


def _without_correction(part: SentencePart) -> SentencePart:
    match = _STARTS.match(part.text)
    if match is None:
        return part
    return replace(part, words=part.words[len(match.group().split()) :], corrects=True)
