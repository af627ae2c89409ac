"""Detection of claimed actions that no tool performed.

A claim is a statement in the past tense about the robot's own action in this turn: "I took a photo". Plans, questions,
refusals, conditions, quotations and actions of other people are not claims. Ambiguous words do not count either,
because a false accusation costs more trust than an undetected false claim.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reachy_agent_ros.agent.guardrails.action_claims import DEEDS, ClaimedDeed

_QUOTED = re.compile(r"“[^“”]*”|\"[^\"]*\"|(?<!\w)'[^']*'(?!\w)|```.*?```|`[^`]*`", re.DOTALL)
_MARKUP = re.compile(r"[*#_]+")
_SENTENCE_END = re.compile(r"(?<=[.!?\u2026;])\s+|\n+")
_FICTION = re.compile(r"\b(?:once upon a time|story|poem|imagine|pretend|dream(?:t|ed)?|joke)\b", re.IGNORECASE)
_ANOTHER_TIME = re.compile(
    r"\b(?:yesterday|earlier|previously|ago|last (?:time|night|week|month|year|turn)|this morning|the other day"
    r"|(?:our|my|the) (?:last|previous|earlier) \w+|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|in (?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_FAILURE = re.compile(r"\b(?:failed|could not|couldn't|did not work|didn't work|unfortunately)\b", re.IGNORECASE)
_CONDITION = re.compile(
    r"\s*(?:if|when|whenever|once|after|before|until|unless|while|suppose|had|should|whether)\b", re.IGNORECASE
)
_DOUBTS = (_ANOTHER_TIME, _FAILURE)
_ADVERB = r"(?:(?:just|already|now|also|then|successfully|quickly|gently|slightly|finally|briefly|slowly|even)\s+)*"
_CLAUSE = re.compile(r"\s*(?:[,:\u2013\u2014]|\s-\s|\b(?:and|but|so|then|because)\b)\s*", re.IGNORECASE)
_LEAD = re.compile(r"^(?:(?:yes|sure|okay|ok|right|done|great|well)\s+)+", re.IGNORECASE)
_OWN = re.compile(rf"I\s+(?:(have)\s+)?{_ADVERB}", re.IGNORECASE)
_PAST = re.compile(
    r"(?!(?:tried|wanted|hoped|refused|pretended|failed|asked|offered|promised|needed|decided|planned)\b)"
    r"(?:have\s|\w+ed\b|(?:took|went|did|made|wrote|shook|sent|set|ran|began|put|gave|got|found|saw|shot|kept|came)\b)",
    re.IGNORECASE,
)
_SKIPPED = re.compile(rf"^(?:then\s+)?{_ADVERB}", re.IGNORECASE)


@dataclass(frozen=True)
class UnsupportedClaim:
    """Claim of an action that no tool performed.

    Attributes:
        sentence: Sentence with the claim.
        deed: Name of the claimed action.
        correction: Correction, as the robot says it.
    """

    sentence: str
    deed: str
    correction: str


def unsupported_claims(reply: str, calls: Sequence[tuple[str, bool]]) -> list[UnsupportedClaim]:
    """Returns statements such as "I danced" for which there was no tool call, at most one for each kind of action.

    Args:
        reply: Complete reply.
        calls: Tool calls of this turn and of earlier turns to which the reply may refer, and whether each
            succeeded.
    """
    found: dict[str, UnsupportedClaim] = {}
    for sentence, deed in _claims(reply):
        results = [succeeded for tool, succeeded in calls if deed.tools.search(tool)]
        if any(results) or deed.name in found:
            continue
        correction = f"I could not {deed.do}." if results else f"I have not {deed.done}."
        found[deed.name] = UnsupportedClaim(sentence.strip(), deed.name, correction)
    return list(found.values())


def _claims(reply: str) -> Iterator[tuple[str, ClaimedDeed]]:
    text = _QUOTED.sub(" ", _MARKUP.sub("", reply.replace("\u2019", "'")))
    if _FICTION.search(text):
        return
    for sentence in _SENTENCE_END.split(text):
        if "?" in sentence or _CONDITION.match(sentence) or any(doubt.search(sentence) for doubt in _DOUBTS):
            continue
        for own, clause in _clauses(sentence):
            yield from ((sentence, deed) for deed in DEEDS if _claimed(deed, own, clause))


def _claimed(deed: ClaimedDeed, own: bool, clause: str) -> bool:
    pattern = deed.claim if own else deed.stated
    return pattern is not None and pattern.match(clause) is not None


def _clauses(sentence: str) -> Iterator[tuple[bool, str]]:
    """Yields whether the robot is the subject of a clause, and the clause's text, which then starts at the verb.

    Skips clauses about the robot that are not in the past tense.
    """
    text = re.sub(r"\bI've\b", "I have", " ".join(sentence.rstrip(".!…;\n ").split()))
    own = False
    for clause in _CLAUSE.split(text):
        said = _LEAD.sub("", clause)
        bare = _SKIPPED.sub("", said)
        subject = _OWN.match(said)
        if subject:
            said = f"{'have ' * bool(subject[1])}{said[subject.end() :]}"
            own = _PAST.match(said) is not None
            if own:
                yield True, said
        elif own and _PAST.match(bare):
            yield True, bare
        elif bare:  # for example between ", " and "then"
            own = False
            yield False, said
