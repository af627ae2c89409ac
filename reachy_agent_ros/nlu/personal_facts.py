"""Extraction of personal facts from sentences that ask the robot to remember, forget or recall them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reachy_agent_ros.nlu.text import Word, joined, words_of

_REQUEST = r"(?:(?:hey|ok|okay|so|and|please|can you|could you|would you|will you|i (?:want|need|would like) you to) )*"
_REMEMBER = re.compile(
    rf"{_REQUEST}(?:remember|remeber|memorize|do not (?:ever )?forget|never forget|"  # codespell:ignore remeber
    r"keep in mind|note|make a note|note down)"
    r"(?: that| this| please| for me)* "
    r"(?P<fact>(?!(?:to|me|when|how|what|where|who|why|which|it|from|about|of|all|everything)\b)\w+ \w+.*)"
)
_REMEMBER_THAT = re.compile(
    r"(?P<fact>(?:my|our|i|we) \w+ \w+.*?) (?:and |so )?(?:please )?(?:remember (?:that|it|this)|"
    r"do not forget(?: that| it| this)?|keep (?:that|it|this) in mind|make a note of (?:that|it|this)|"
    r"note (?:that|it|this) down)(?: please| for me)*"
)
_NAME = re.compile(
    r"(?:my name is|i am called|i am named|(?:please )?call me|you (?:can|may) call me|people call me|"
    r"everyone calls me|my friends call me) (?P<name>(?!(?:not|a|an|the|when|if|back|later|on|at)\b)\w+(?: \w+){0,2})"
)
_I_AM = re.compile(r"(?:hi |hello |hey )?i am (?P<name>\w+(?: \w+)?)")
_FORGET = re.compile(
    rf"{_REQUEST}(?:forget(?: that| about)* (?P<fact>(?:my|our|i|we) .+?)|"
    r"(?:forget|delete|erase) (?:(?:about )?(?:everything|all|it all|all of (?:it|that))"
    r"(?: that| (?:i|we|you)(?: have)?| ever| told| said| know| remember| about| me| us)*|"
    r"what (?:i have told you|i told you|you (?:know|remember)(?: about (?:me|us))?)))(?: please| now)*"
)
_RECALL = re.compile(
    rf"{_REQUEST}(?:tell me |do you (?:still )?(?:remember|know) )?"
    r"(?:(?:what|who|when|how|how old|what colou?r) (?:is|are|was) (?P<direct>(?:my|our) .+)|"
    r"what (?:is|are|was) the (?:colou?r|name|age|birthday|size) of (?P<of>(?:my|our) \w+(?: \w+)?)|"
    r"(?:what|who|when|how|how old) (?P<indirect>(?:my|our) .+) (?:is|are|was)(?: called| named)?)|"
    rf"{_REQUEST}(?:do you (?:still )?(?:remember|know)|what (?:do|can) you (?:remember|know) about) "
    r"(?P<known>(?:my|our) .+)"
)
_WHERE = re.compile(
    rf"{_REQUEST}(?:do you (?:still )?(?:remember|know) )?where "
    r"(?:(?:is|are) |(?:(?:did|have) )?(?:i|we) (?:have )?(?:put|leave|left) )?"
    r"(?P<thing>(?:my|our) \w+(?: \w+)?)(?: (?:is|are))?(?: now| again)?"
)
_ABOUT_ME = re.compile(
    r"(?:(?:do you )?(?:still )?(?:remember|know) (?P<me>me)|what (?:else )?do you (?:know|remember) (?:about|of) me|"
    r"what did i (?:tell you|ask you to remember|say about me)(?: about .+)?|"
    r"what have i told you(?: about .+)?)"
)


_WHO = re.compile(r"(?:do you (?:still )?(?:remember|know) )?who (?:am i|i am)")


def fact_to_remember(text: str, words: Sequence[Word]) -> str | None:
    """Returns the fact that the robot is asked to remember, in its original spelling, such as "my name is Tom".

    Args:
        text: Sentence.
        words: Words to read, without punctuation.
    """
    said = joined(words)
    match, named = _REMEMBER.fullmatch(said) or _REMEMBER_THAT.fullmatch(said), _NAME.fullmatch(said)
    if named is not None:
        return name_fact(_as_written(text, words, said, named, "name"))
    introduced = _I_AM.fullmatch(said)
    if introduced is not None:
        name = _as_written(text, words, said, introduced, "name")
        return name_fact(name) if is_name(name) else None
    return None if match is None else _as_written(text, words, said, match, "fact")


def fact_to_forget(text: str, words: Sequence[Word]) -> str | None:
    """Returns the fact that the robot is asked to forget, such as "my name". Returns "" for all facts.

    Args:
        text: Sentence.
        words: Words to read, without punctuation.
    """
    said = joined(words)
    match = _FORGET.fullmatch(said)
    if match is None:
        return None
    return "" if match["fact"] is None else _as_written(text, words, said, match, "fact")


def fact_to_recall(text: str, words: Sequence[Word]) -> str | None:
    """Returns the fact that a person asks about, such as "my name". Returns "" if the question is about all facts."""
    said = joined(words)
    if _ABOUT_ME.fullmatch(said):
        return ""
    if _WHO.fullmatch(said):
        return "my name"
    match = _RECALL.fullmatch(said)
    if match is None or match.lastgroup is None:
        return None
    return _as_written(text, words, said, match, match.lastgroup)


def thing_to_locate(text: str) -> str | None:
    """Returns the thing of a person whose place a question asks for: "my keys" for "where are my keys?"."""
    match = _WHERE.fullmatch(joined(word for word in words_of(text) if not word.is_mark))
    return None if match is None else match["thing"]


def name_fact(name: str) -> str:
    """Returns the fact under which the memory keeps a person's name, in every language."""
    return f"{_MY_NAME}{name}"


def name_in(fact: str) -> str:
    """Returns the name in a fact of `name_fact`, or "" for another fact."""
    return fact.removeprefix(_MY_NAME).rstrip(".") if fact.startswith(_MY_NAME) else ""


def is_name(words: str) -> bool:
    """Returns whether words after "I am" look like a name: written as one, and not a nationality or a role."""
    parts = words.split()
    capitalized = all(part[:1].isupper() and not part.isupper() for part in parts)
    return capitalized and parts[0].casefold() not in _NO_NAMES


def fact_key(fact: str) -> str:
    """Returns the memory key of a fact: "dog" for "my dog is called Bella", otherwise the start of the fact."""
    words = fact.replace("\u2019", "'")
    subject = _SUBJECT.match(words) or _SUBJECT_ALONE.fullmatch(words)
    return words[:_LONGEST_KEY] if subject is None else subject["key"].lower()


_SUBJECT = re.compile(
    r"(?:my|our) (?P<key>[\w' ]{1,60}?)(?:'s name)? (?:is|are|was|has|have|likes?|loves?|lives?)\b", re.IGNORECASE
)
_SUBJECT_ALONE = re.compile(r"(?:my|our) (?P<key>[\w' ]{1,60}?)(?:'s name)?", re.IGNORECASE)
_MY_NAME = "my name is "
_NO_NAMES = frozenset(
    (
        *("american", "british", "english", "french", "german", "italian", "portuguese", "spanish", "brazilian"),
        *("mexican", "swiss", "austrian", "dutch", "polish", "russian", "turkish", "chinese", "japanese"),
        *("indian", "irish", "scottish", "canadian", "australian", "european", "african", "asian", "catholic"),
        *("christian", "muslim", "jewish", "buddhist", "vegan", "reachy", "arzt", "ärztin", "lehrer", "lehrerin"),
        *("student", "studentin", "schüler", "schülerin", "ingenieur", "ingenieurin", "informatiker"),
        *("informatikerin", "deutscher", "deutsche", "mutter", "vater", "mensch", "rentner", "rentnerin"),
        *("anfänger", "anfängerin", "vegetarier", "vegetarierin", "chef", "zuhause"),
    )
)
"""Words with a capital letter that follow "I am", or "ich bin" in German, but are not names."""

_LONGEST_KEY = 100
"""Maximum length of a memory key, characters."""

_YOURS = {
    "my": "your",
    "mine": "yours",
    "i": "you",
    "me": "you",
    "myself": "yourself",
    "our": "your",
    "i'm": "you are",
    "i've": "you have",
    "am": "are",
    "we": "you",
    "us": "you",
}


def said_to_person(fact: str) -> str:
    """Returns a fact from the robot's point of view: "your dog is called Bella" for "my dog is called Bella"."""
    plain = fact.replace("\u2019", "'")
    return re.sub(r"[A-Za-z']+", lambda word: _YOURS.get(word.group().lower(), word.group()), plain)


def _as_written(text: str, words: Sequence[Word], said: str, match: re.Match[str], group: str) -> str:
    first = len(said[: match.start(group)].split())
    last = len(said[: match.end(group)].split())
    return text[words[first].start : words[last - 1].end]
