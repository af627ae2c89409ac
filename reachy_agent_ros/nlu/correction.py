"""What a speaker takes back in the same breath: "look left, no, right"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from reachy_agent_ros.nlu.sentence import Part

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


def corrections(parts: Iterable[Part], is_command: Callable[[str], bool]) -> list[Part]:
    """Marks the clauses that replace the one before them, and cuts where no comma was heard.

    Args:
        parts: Clauses of one sentence.
        is_command: Whether a text is one by itself: "say no to that" takes nothing back.

    Returns:
        Clauses without the words that take back, which are a clause of no words only where nothing follows them.
    """
    found: list[Part] = []
    pending = False
    pieces = [piece for whole in parts for piece in _cut(whole, is_command)]
    for part, after in zip(pieces, [*pieces[1:], None], strict=False):
        if found and after is not None and _HESITATES.fullmatch(part.text) and _STARTS.match(after.text):
            continue  # the "wait" of "wait, no, right" stops nothing
        rest = _without_correction(part) if found else part
        if not rest.words:
            pending = True
            continue
        found.append(replace(rest, corrects=rest.corrects or pending))
        pending = False
    return [*found, Part((), False, corrects=True)] if pending else found


def _cut(part: Part, is_command: Callable[[str], bool]) -> Iterator[Part]:
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


def _without_correction(part: Part) -> Part:
    match = _STARTS.match(part.text)
    if match is None:
        return part
    return replace(part, words=part.words[len(match.group().split()) :], corrects=True)
