"""Recognition of small talk that needs no language model: greetings, questions about the robot, the time, facts.

Known sentences are in `small_talk.tsv`. The topic of other sentences is classified (see `TopicClassifier`); they are
answered only if no model can answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from pathlib import Path

from reachy_agent_ros.core.embedding import SentenceEmbedder
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.nlu.answer_phrases import asks_for_repetition
from reachy_agent_ros.nlu.personal_facts import fact_to_forget, fact_to_recall, fact_to_remember
from reachy_agent_ros.nlu.text import WAKE, Word, joined, words_of
from reachy_agent_ros.nlu.topic_classifier import NONE, TopicClassifier

FILE = Path(__file__).with_name("small_talk.tsv")

MOST_WORDS = 16
"""Maximum number of words in a clause. A longer one says more than small talk."""

MOST_CLAUSES = 4
"""Maximum number of clauses that are compared as one sentence."""


class Topic(StrEnum):
    """Topic of small talk."""

    GREETING = "greeting"
    THANKS = "thanks"
    FAREWELL = "farewell"
    IDENTITY = "identity"
    NAME = "name"
    MAKER = "maker"
    AGE = "age"
    ABILITIES = "abilities"
    TIME = "time"
    DATE = "date"
    DANCES = "dances"
    FEELINGS = "feelings"
    WELLBEING = "wellbeing"
    ACTIVITY = "activity"
    HEARING = "hearing"
    SENSE = "sense"
    LEARN = "learn"
    JOKE = "joke"
    SONG = "song"
    AFFECTION = "affection"
    FRIENDSHIP = "friendship"
    INSULT = "insult"
    QUIET = "quiet"
    APOLOGY = "apology"
    MOOD = "mood"
    GLAD = "glad"
    BORED = "bored"
    CANNOT = "cannot"
    TIMER = "timer"
    OKAY = "okay"
    TRICK = "trick"
    REMEMBER = "remember"
    RECALL = "recall"
    FORGET = "forget"
    AGAIN = "again"
    WEATHER = "weather"
    LIKES = "likes"
    NEEDS = "needs"
    PRIVACY = "privacy"
    INTELLIGENCE = "intelligence"
    BODY = "body"
    SOFTWARE = "software"
    POWER = "power"
    FILES = "files"
    SAFETY = "safety"
    LAST_ACTION = "last action"
    PACE = "pace"


PLAIN = frozenset((Topic.ABILITIES, Topic.TIME, Topic.DATE, Topic.DANCES, Topic.FEELINGS, Topic.AGAIN))
"""Topics with one right answer, which a model is never asked for."""

COURTESIES = frozenset((Topic.GREETING, Topic.THANKS, Topic.FAREWELL))
"""Topics that a sentence may have in addition to another one: "hello, who are you"."""


@dataclass(frozen=True)
class SmallTalk:
    """Recognized small talk.

    Attributes:
        topic: Subject.
        greets: Whether the person also greets.
        fact: Words to remember, to forget or to search the memory for, as written; empty for all facts and for other
            topics.
    """

    topic: Topic
    greets: bool = False
    fact: str = ""


class SmallTalkReader:
    """Recognizes small talk.

    Args:
        embedder: Loads the sentence embedder when the first unknown sentence is read; None for known sentences only.
    """

    def __init__(self, embedder: Callable[[], SentenceEmbedder] | None = None) -> None:
        self._embedder = embedder
        self._classifier: TopicClassifier | None = None

    def read(self, text: str) -> SmallTalk | None:
        """Recognizes small talk in a text whose clauses are all known. Returns None for any other text."""
        return _read(text, _known)

    def read_similar(self, text: str) -> SmallTalk | None:
        """Recognizes small talk by known sentences, then by a classifier. Takes about 10 ms."""
        known = self.read(text)
        if known is not None or self._embedder is None:
            return known
        try:
            return _read(text, lambda clause: _known(clause) or self._similar(clause))
        except AgentError:  # the embedder's weights are missing
            return None

    def _similar(self, clause: str) -> Topic | None:
        if not clause or self._embedder is None:
            return None
        if self._classifier is None:
            self._classifier = TopicClassifier(self._embedder())
        topic = self._classifier.best(_variants(clause))
        if topic is None or topic == Topic.RECALL:
            return None
        changed = _CHANGES_MEANING & set(clause.split()) - _words_of_topic()[topic]
        return None if changed else Topic(topic)


def is_small_talk(text: str) -> bool:
    """Returns whether a text consists of known small talk. Takes less than 1 ms."""
    return _read(text, _known) is not None


_CHANGES_MEANING = frozenset(
    ("why", "if", "when", "where", "because", "should", "not", "never", "he", "she", "they", "him", "her", "them")
)
"""Words that embeddings hardly represent: "why are you sad" is not "are you sad"."""

_NAME_ALONE = re.compile(rf"(?:(?:hey|ok|okay|so|oh|please) )*(?:{WAKE}|robot|please)")
_OPENING = re.compile(
    rf"^(?:(?:{WAKE}|hey|oh|ok|okay|so|well|um|uh|and|but|then|now|please|robot|buddy|exactly|actually|just|"
    r"let me know|"
    r"(?:can|could|would|will) you (?:please )?(?:tell|give|show) (?:me|us|(?:my|our) \w+)|"
    r"(?:can|could|would|will) you(?: please)?(?= (?:introduce|help|sing|say|describe|list|do|be|move|surprise)\b)|"
    r"do you know(?= (?:what|which|who|how|where|when)\b)|i (?:want|would like) to know|"
    r"(?:may|can|could) i (?:ask|know)|"
    r"(?:tell|show|give) (?:me|us|(?:my|our) \w+)(?= (?:what|which|who|how|where|when|your|the)\b)) )+(?=\S)"
)
_CLOSING = re.compile(
    rf"(?: (?:{WAKE}|please|robot|buddy|mate|pal|dude|my friend|little (?:guy|robot|one|friend|fellow)|then|now|"
    r"right now|exactly|actually|at the moment|for me|too|everyone|everybody|today))+$"
)
_INDIRECT = re.compile(
    r"^(?P<question>(?:what|which|who|how|where|when)(?: \w+)?) (?P<subject>you|it|i|we|this|your \w+|the \w+) "
    r"(?P<verb>am|is|are|can|do|should)\b"
)
_AGAIN = re.compile(
    r"(?:(?:do|repeat|show|play|dance) )?(?:(?:it|that|this|the same|the same thing)(?: for me| to me)? )?"
    r"(?:again|once again|once more|1 more time|another time)|repeat(?: (?:it|that|this))?|(?:the )?same again|encore"
)


def _read(text: str, topic_of: Callable[[str], Topic | None]) -> SmallTalk | None:
    if asks_for_repetition(text):
        return SmallTalk(Topic.AGAIN)
    clauses = _clauses(_written_out(words_of(text)))
    found: list[Topic] = []
    for index, clause in enumerate(clauses):
        talk = _about_person(text, [word for rest in clauses[index:] for word in rest])
        if talk is not None and COURTESIES.issuperset(found):
            return SmallTalk(talk.topic, Topic.GREETING in found, talk.fact)
        topic = topic_of(joined(clause)) if len(clause) <= MOST_WORDS else None
        if topic is None:
            break
        found.append(topic)
    if not found or len(found) < len(clauses):
        whole = topic_of(" ".join(map(joined, clauses))) if 1 < len(clauses) <= MOST_CLAUSES else None
        return None if whole is None else SmallTalk(whole)
    courtesies = {*COURTESIES, Topic.OKAY}
    subject = next((topic for topic in reversed(found) if topic not in courtesies), None) or next(
        (topic for topic in found if topic is not Topic.OKAY), Topic.OKAY
    )
    return SmallTalk(subject, Topic.GREETING in found and subject is not Topic.GREETING)


_CHAT = {
    "u": "you",
    "r": "are",
    "ur": "your",
    "ya": "you",
    "thx": "thanks",
    "ty": "thank you",
    "nite": "night",
    "doin": "doing",  # codespell:ignore doin
    "goin": "going",  # codespell:ignore goin
    "gotta": "have to",
    "lemme": "let me",
    "sup": "what is up",
    "wassup": "what is up",
}
"""Spellings that are common in chats, and their standard spellings."""
_STRETCHED = re.compile(r"([a-z])\1{2,}")


def _written_out(words: Sequence[Word]) -> list[Word]:
    """Replaces chat spellings and stretched letters, as in "hellooo", with standard spellings."""
    plain = [(word, _STRETCHED.sub(r"\1", word.text)) for word in words]
    return [replace(word, text=part) for word, text in plain for part in _CHAT.get(text, text).split()]


_WHY = re.compile(r"(?:(?:and|but|so|okay|ok|hey) )*why (?:did|have) you (?:just )?(?!not\b)\w+.*")


def asks_for_reason(text: str) -> bool:
    """Returns whether a sentence asks why the robot did something: "why did you do that?"."""
    return _WHY.fullmatch(joined(word for word in words_of(text) if not word.is_mark)) is not None


def _clauses(words: Sequence[Word]) -> list[list[Word]]:
    clauses: list[list[Word]] = [[]]
    for word in words:
        if word.is_mark:
            clauses.append([])
        else:
            clauses[-1].append(word)
    return [clause for clause in clauses if clause and not _NAME_ALONE.fullmatch(joined(clause))]


def _about_person(text: str, words: Sequence[Word]) -> SmallTalk | None:
    told = fact_to_remember(text, words)
    if told is not None:
        return SmallTalk(Topic.REMEMBER, fact=told)
    unwanted = fact_to_forget(text, words)
    if unwanted is not None:
        return SmallTalk(Topic.FORGET, fact=unwanted)
    asked = fact_to_recall(text, words)
    return None if asked is None else SmallTalk(Topic.RECALL, fact=asked)


def _known(clause: str) -> Topic | None:
    """Returns the topic of a clause that consists of plain words, or None if the clause is unknown."""
    for variant in _variants(clause):
        if _AGAIN.fullmatch(variant):
            return Topic.AGAIN
        topic = _sentences().get(variant, NONE)
        if topic != NONE:
            return Topic(topic)
    return None


def _variants(clause: str) -> list[str]:
    """Returns a clause and its variants without opening and closing phrases, also reworded as direct questions."""
    opened = _OPENING.sub("", clause)
    said = [clause, opened, _CLOSING.sub("", clause), _CLOSING.sub("", opened)]
    asked = [_INDIRECT.sub(r"\g<question> \g<verb> \g<subject>", one) for one in said]
    return list(dict.fromkeys([*said, *asked]))


@cache
def sentences_by_topic() -> Sequence[tuple[str, str]]:
    """Returns the topic and the sentence of each line in `FILE`."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return [(topic, sentence) for topic, sentence in (line.split("\t") for line in lines if not line.startswith("#"))]


@cache
def _sentences() -> Mapping[str, str]:
    return {sentence: topic for topic, sentence in sentences_by_topic()}


@cache
def _words_of_topic() -> Mapping[str, frozenset[str]]:
    """Returns a map of topics to the words in their known sentences."""
    words: dict[str, set[str]] = {}
    for topic, sentence in sentences_by_topic():
        words.setdefault(topic, set()).update(sentence.split())
    return {topic: frozenset(known) for topic, known in words.items()}
