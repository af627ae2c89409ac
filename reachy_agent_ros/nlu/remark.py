"""Removal of remarks around a command: "read this, I've not got my glasses", "dance while I make the tea".

People explain, encourage and comment while they ask for something. A clause with such a remark is dropped if all other
clauses are commands. Conditions, reports, denials and questions are not remarks, because they change a command.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from reachy_agent_ros.nlu.clause import take_apart
from reachy_agent_ros.nlu.direction import ALIASES
from reachy_agent_ros.nlu.text import Word, joined, strip_courtesies, words_of

MOST_SEGMENTS = 6
"""Maximum number of segments between punctuation marks of a sentence with remarks."""

_QUOTES = frozenset('"\u201c\u201d')

_LONGEST = 14
"""Maximum number of words of a remark."""

_WHO = (
    r"(?:i|we|it|there|that|this|these|those|you|he|she|they|my|our|your|his|her|their|the|somebody|someone|something|"
    r"everybody|everyone|people)"
)
_FINITE = (
    r"(?:am|is|are|was|were|be|has|have|had|do|does|did|can|could|will|would|must|should|might|need|needs|want|"
    r"wants|got|"
    r"gotta|going|look|looks|looked|feel|feels|like|likes|love|loves|hate|hates|think|thinks|know|knows|see|sees|hear|"
    r"hears|made|make|makes|came|come|comes|go|goes|went|lost|won|broke|took|take|takes|put|left|just|keep|keeps|"
    r"work|works|sound|sounds|seem|seems|smell|smells|\w{3,}(?:ed|ing))"
)
_STATEMENT = (
    rf"(?:{_WHO}(?: \w+){{0,4}}? {_FINITE}|"
    r"(?!(?:what|who|where|when|why|how|which|is|are|do|can|could|would|will)\b)\w+(?: \w+){0,2} "
    r"(?:is|are|am|was|were|has|have|needs|wants))(?: .*)?"
)
_CHEER = (
    r"(?:(?:hold|hang) on(?: there)?(?: a (?:sec|second|minute|moment|bit))?|come on|go on|"
    r"let us (?:go|have it|do (?:it|this)|look lively|see|be having you)|not that (?:far|much|way|one)|"
    r"do not (?:be (?:shy|silly|scared|afraid|mean)|worry|mind (?:me|us)|you worry)|like you mean it|chop chop|"
    r"hurry up|quick(?:ly)?|beautiful|lovely|"
    r"brilliant|perfect|great|gorgeous|smashing|wonderful|fantastic|excellent|amazing|wow|cheers|ta|yay|hooray|oops|"
    r"wrong|wrong (?:one|way)|my (?:mistake|bad|fault)|bless(?: you)?|sorry(?: about that)?|no rush|take your time|"
    r"for (?:goodness|heaven|god)(?: is)? sake|look at (?:the state of )?(?:you|ya|that|it)|that is (?:it|enough)|"
    r"(?:good|well) (?:idea|done|job)|one more thing|real quick|all right|night night|good night|over (?:there|here)|"
    r"as usual|like (?:always|before)|like (?:a|an|you(?! are)|the|it|someone|somebody)\b.*|"
    r"look at (?:it|him|her|them)|find (?:it|them)|it|the (?:baby|neighbou?rs|kids|children|dog|cat))"
)
_REMARK = re.compile(rf"(?:{_CHEER}|{_STATEMENT})")
_ADDED = re.compile(
    rf"(?:so(?: that)?|because|cause|cos|cuz|coz|since|while|whilst|and|before(?! you)|as) {_WHO}(?: .*)?|"
    rf"(?:wherever|everywhere|like (?:you(?! are)|a|an|it|someone|somebody)|for (?:a|the|my|our|this|"
    rf"these) (?!bit\b|while\b|"
    r"moment\b|second\b|minute\b)\w+(?: \w+)?$|"
    r"to (?:make|show|see|help|let|test|check)|as (?:well|usual|if|though))(?: .*)?|"
    rf"(?:i|we|it is|that is|there is|there are|they|he is|she is|you are|my \w+ is|the \w+ is)(?: .+)"
)
"""Start of a remark that is not separated from its command by a punctuation mark."""

_CHANGES = re.compile(
    r"\b(?:if|unless|until|till|when|whenever|once|or|instead|except|rather|later|tomorrow|yesterday|tonight|"
    r"says?|said|tells?|told|asks?|asked|wrote|yells?|yelled|shouts?|shouted|sings?|sang|goes on|it (?:will|may|might)|"
    r"only|ever|anyone|anybody|how|why|who|what|where|which)\b|^(?:no|not|never|but|do not|you (?:would|will|could))\b"
)
"""Words of conditions, reports, denials and questions."""


_COURTESY_AT_END = re.compile(r" (?:for (?:me|us)|please|now|(?:would|will|can|could) you)$", re.IGNORECASE)


def without_remarks(text: str, is_command: Callable[[str], bool]) -> str | None:
    """Returns the commands of a sentence without the remarks around them.

    Args:
        text: Sentence.
        is_command: Returns whether a text alone is a command.

    Returns:
        The commands; None if the sentence has no remark, or a clause that is neither a command nor a remark.
    """
    segments = list(_segments(words_of(text)))
    if not 0 < len(segments) <= MOST_SEGMENTS or not _QUOTES.isdisjoint(text):
        return None
    kept: list[str] = []
    dropped = found = False
    for words in segments:
        said, plain = text[words[0].start : words[-1].end], joined(words)
        command = _command_in(text, words, is_command)
        if command is not None:
            kept.append(command)
            dropped |= command != said
            found = True
        elif found and _is_amount(plain):
            kept[-1] = f"{_COURTESY_AT_END.sub('', kept[-1])} {said}"
            dropped = True
        elif is_remark(plain) or (found and _ADDED.fullmatch(plain) and not _CHANGES.search(plain)):
            dropped = True
        else:
            return None
    return ", ".join(kept) if found and dropped else None


def is_remark(clause: str) -> bool:
    """Returns whether a clause of plain words (see `text.words_of`) neither asks for anything nor changes a command."""
    rest = strip_courtesies(clause)
    cheers = re.fullmatch(_CHEER, rest) is not None
    states = _REMARK.fullmatch(rest) is not None and _CHANGES.search(rest) is None
    return not rest or cheers or (states and len(rest.split()) <= _LONGEST)


def _segments(words: Sequence[Word]) -> Iterator[list[Word]]:
    """Yields the words between punctuation marks."""
    segment: list[Word] = []
    for word in [*words, Word(".", 0, 0)]:
        if not word.is_mark:
            segment.append(word)
        elif segment:
            yield segment
            segment = []


def _command_in(text: str, words: Sequence[Word], is_command: Callable[[str], bool]) -> str | None:
    """Returns the command at the beginning of a segment, without a remark that follows it, or None."""
    whole = text[words[0].start : words[-1].end]
    if is_command(whole):
        return None if whole.lower() in ALIASES else whole  # "up" alone says too little
    for index in range(1, len(words)):
        added = joined(words[index:])
        if words[index].start > words[index - 1].start and _ADDED.fullmatch(added) and not _CHANGES.search(added):
            command = text[words[0].start : words[index - 1].end]
            if is_command(command):
                return command
    return None


def _is_amount(clause: str) -> bool:
    """Returns whether a clause only states an amount of the command before it: "forty degrees", "just a bit"."""
    return not take_apart(clause).core or clause in ("both", "both of them", "halfway")
