"""Recognizes requests in a person's words without a model, in the six languages of the intent recognizer.

A request is an order or a polite wish ("turn left", "could you turn left", "ich moechte ein Foto"). Questions,
statements, quotations and refusals are not requests, whatever words they contain: "which dance did Mia like?" does not
ask for a dance. Unknown words request nothing, so that the robot asks the person.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from reachy_agent_ros.agent.provenance.quotations import without_quotations
from reachy_agent_ros.agent.provenance.words import plain_words, sections, small_words
from reachy_agent_ros.core.plain_letters import plain_letters
from reachy_agent_ros.tools.protocol.tools import ToolDescription

_FILE = "requests.txt"
_SPLIT = re.compile(r"[.;!?\n,()\u2013\u2014\u2026]|\s-\s")
_CONJUNCTIONS = small_words("CONJUNCTIONS")
_ANAPHORS = small_words("ANAPHORS")
_QUESTIONS = small_words("QUESTION")
_LEADING = frozenset(("heraus", "raus", "nach", "out"))
"""Last words of clauses that continue with a question: "finde heraus, wer das schrieb"."""
_PARTICLES = frozenset(("up", "down", "around", "over"))
_AFTER_PARTICLE = small_words("FILLERS") | frozenset(
    ["at", "to", "toward", "towards", "again", "there", "here", "you", "yourself"]
)


@dataclass(frozen=True)
class RequestClause:
    """Clause that may contain a request.

    Attributes:
        words: All words, in plain letters.
        heads: Possible positions of the verb.
        before: Words of the preceding parts of the sentence, to which "do it" may refer.
    """

    words: tuple[str, ...]
    heads: tuple[int, ...]
    before: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Pattern:
    tools: frozenset[str]
    heads: tuple[str, ...]
    needed: tuple[str, ...]
    unless: tuple[str, ...]
    light: bool

    def fits(self, clause: RequestClause) -> bool:
        """Returns whether a clause requests the tools of this pattern."""
        return any(self._fits(clause, head) for head in clause.heads)

    def _fits(self, clause: RequestClause, head: int) -> bool:
        if not is_any(clause.words[head], self.heads):
            return False
        following = clause.words[head + 1 : head + 2]
        if following and following[0] in self.unless:
            return False
        if not self.needed or _named(_without_particle(clause.words, head), self.needed, clause.words[head]):
            return True
        return self.light and not _ANAPHORS.isdisjoint(clause.words) and _named(clause.before, self.needed)


def clauses_of(text: str, is_verb: Callable[[str], bool] = lambda _word: False) -> list[RequestClause]:
    """Splits a sentence into clauses that may contain requests. Skips quotations.

    Args:
        text: Words of the person.
        is_verb: Returns whether a request may begin with a word that no pattern of a tool contains.
    """
    clauses: list[RequestClause] = []
    before: list[str] = []
    for words in parts_of(text):
        heads = _heads_of(words)
        continues = not heads or not any(_known_head(words[head]) or is_verb(words[head]) for head in heads)
        if continues and clauses and (words[0] not in _QUESTIONS or clauses[-1].words[-1] in _LEADING):
            last = clauses[-1]
            clauses[-1] = RequestClause((*last.words, *words), last.heads, last.before)
        elif heads:
            clauses.append(RequestClause(tuple(words), tuple(heads), tuple(before)))
        before.extend(words)
    return clauses


def tools_asked(clause: RequestClause) -> frozenset[str]:
    """Returns the tools that a clause requests."""
    return frozenset().union(*(pattern.tools for pattern in _patterns() if pattern.fits(clause)))


def content_of(clause: RequestClause) -> list[str]:
    """Returns the words of a clause without its verb."""
    return [word for place, word in enumerate(clause.words) if place not in clause.heads]


def names(tool: ToolDescription, text: str) -> bool:
    """Returns whether a text requests a tool without patterns, because it contains most words of the tool's name.

    The text must also contain most words without the name of an MCP server, which requests none of its tools.
    """
    said = {word[:5] for word in plain_words(text)}
    return _contains_most(said, tool.name) and _contains_most(said, tool.own_name)


def has_pattern(tool: str) -> bool:
    """Returns whether any request pattern exists for a tool."""
    return any(tool in pattern.tools for pattern in _patterns())


def parts_of(text: str) -> Iterator[list[str]]:
    """Yields the words of each part of a sentence, split at punctuation and conjunctions. Skips quotations.

    Args:
        text: Words of the person.
    """
    for run in _SPLIT.split(plain_letters(without_quotations(text))):
        part: list[str] = []
        for word in plain_words(run):
            if word in _CONJUNCTIONS and part:
                yield part
                part = []
            elif word not in _CONJUNCTIONS:
                part.append(word)
        if part:
            yield part


def _contains_most(said: set[str], name: str) -> bool:
    parts = [part[:5] for part in plain_words(name.replace("_", " ")) if len(part) > 2]
    return 2 * sum(part in said for part in parts) > len(parts)


def _without_particle(words: Sequence[str], head: int) -> Sequence[str]:
    """Joins the particle of a verb with the next word, because "up" in "look up the price" is not a direction."""
    if words[head] != "look" or not _PARTICLES.intersection(words[head + 1 : head + 2]):
        return words
    behind = words[head + 2 : head + 3]
    if not behind or behind[0] in _AFTER_PARTICLE or behind[0].isdigit():
        return words
    return [*words[: head + 1], f"{words[head + 1]}_{behind[0]}", *words[head + 2 :]]


def _named(words: Sequence[str], needed: Sequence[str], head: str = "") -> bool:
    """Returns whether one to three adjacent words match the words that a pattern requires in addition to its verb."""
    joined = ["_".join(words[start : start + count]) for count in (2, 3) for start in range(len(words) - count + 1)]
    return any(is_any(word, needed) for word in (*words, *joined) if word != head)


def is_any(word: str, listed: Iterable[str]) -> bool:
    """Returns whether a word matches an entry of a list. In an entry, `*` stands for any ending."""
    return any(word.startswith(one[:-1]) if one.endswith("*") else word == one for one in listed)


@cache
def _known_head(word: str) -> bool:
    return any(is_any(word, pattern.heads) for pattern in _patterns())


@cache
def _patterns() -> tuple[_Pattern, ...]:
    return tuple(_read())


def _read() -> Iterator[_Pattern]:
    lists = {name: " ".join(found).split() for name, found in sections(_FILE) if name.isupper()}
    for name, found in sections(_FILE):
        for line in [] if name.isupper() else found:
            heads, needed, unless = ([*part.split()] for part in (f"{line} | | ").split("|")[:3])
            tools = frozenset(name.split())
            yield _Pattern(tools, _expanded(heads, lists), _expanded(needed, lists), tuple(unless), "DO" in heads)


def _expanded(words: Sequence[str], lists: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    return tuple(part for word in words for part in lists.get(word, (word,)))


_FILLERS = small_words("FILLERS")
_CLITICS = small_words("CLITICS")
_REFUSALS = small_words("REFUSALS")
_WISHES = small_words("WISHES")

_AUXILIARIES = frozenset(("d", "would", "really", "also"))
_I = ("i", "ich", "je", "j", "yo", "io", "eu", "we", "wir", "on", "nous")

_POLITE = """can you|could you|would you|will you|can u|i want you to|i would like you to|i d like you to|
i need you to|why don t you|you can|you may|you should|you could|would you mind|try to|make sure to|be so kind as to|
be sure to|don t forget to|if so|if yes|if not|wenn ja|wenn nicht|falls ja|falls nicht|
si oui|si non|si es asi|si no|se si|se no|se sim|
se nao|let s|let us|i want to|
kannst du|konntest du|konnen sie|konnten sie|wurdest du|wurden sie|willst du|magst du|du kannst|du sollst|du darfst|
du konntest|sollst du|lass uns|
peux tu|pourrais tu|pouvez vous|pourriez vous|tu peux|tu pourrais|est ce que tu peux|est ce que tu pourrais|veux tu|
voudrais tu|voulez vous|n oublie pas de|essaie de|
puedes|podrias|puede|podria|me puedes|me podrias|quiero que|quisiera que|me gustaria que|necesito que|intenta|
no olvides|trata de|
puoi|potresti|puo|potrebbe|vuoi|voglio che|vorrei che|mi piacerebbe che|non dimenticare di|prova a|mi puoi|
podes|pode|poderias|poderia|consegues|quero que|queria que|gostava que|gostaria que|queres|voce pode|voce poderia|
nao te esquecas de|tenta"""

_GERMAN = frozenset(
    ("kannst", "konntest", "konnen", "konnten", "wurdest", "wurden", "willst", "magst", "sollst", "du", "lass")
)

_FRAMES = tuple(sorted((tuple(one.split()) for one in _POLITE.split("|")), key=len, reverse=True))
"""Polite phrases before a request, as words in plain letters, longest first."""

_VERB_LAST = frozenset(frame for frame in _FRAMES if frame[0] in _GERMAN)
"""Phrases after which the verb is at the end of the clause."""


def _heads_of(words: Sequence[str]) -> list[int]:
    """Returns the positions at which the verb of a request may be; empty if the clause is not a request.

    Args:
        words: Words of the clause.
    """
    start = _after(words, 0, _FILLERS)
    frame = next((one for one in _FRAMES if tuple(words[start : start + len(one)]) == one), ())
    rest = _after(words, start + len(frame), _FILLERS)
    if rest >= len(words) or _REFUSALS.intersection(words[start + len(frame) :]):
        return []
    if frame in _VERB_LAST:
        return [] if _QUESTIONS.intersection(words[rest:]) else [len(words) - 1]
    if frame:
        verb = _after(words, rest, _CLITICS)
        return sorted({rest, min(verb, len(words) - 1)})
    if words[rest] in _I:
        wish = _after(words, rest + 1, _AUXILIARIES)
        return [wish] if words[wish : wish + 1] and words[wish] in _WISHES else []
    if words[rest] in _QUESTIONS:
        return []
    infinitive = 2 <= len(words) - rest <= 6 and words[-1].endswith(("en", "eln", "ern"))
    return [rest, len(words) - 1] if infinitive else [rest]


def _after(words: Sequence[str], start: int, skipped: frozenset[str]) -> int:
    while start < len(words) and words[start] in skipped:
        start += 1
    return start
