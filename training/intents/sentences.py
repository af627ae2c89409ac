"""Training sentences of the intent classifier.

They are written sentences and random sentences from the templates of all languages.
"""

from __future__ import annotations

import csv
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml
from hassil.expression import Alternative, Expression, Group, ListReference, Permutation, RuleReference, TextChunk
from hassil.intents import TextSlotList

from reachy_agent_ros.motion.dance import dances
from reachy_agent_ros.nlu.exemplars import exemplars
from reachy_agent_ros.nlu.templates.intent_classifier import NONE, TAGS
from reachy_agent_ros.nlu.templates.language import LANGUAGES, NO_COMMAND, Language, load_language
from reachy_agent_ros.nlu.templates.slot_finder import SlotFinder
from reachy_agent_ros.nlu.templates.template_index import NOUN
from reachy_agent_ros.nlu.templates.tokens import tokens_of
from reachy_agent_ros.nlu.text import Word
from training.intents.marked_text import MARKED, unmarked
from training.intents.phrasings import phrasings

FOLDER = Path(__file__).parent / "sentences"
"""Folder with one file per language: columns intent, author, sentence."""

PER_TEMPLATE = 4
"""Random sentences per template."""

WRAPPERS = Path(__file__).with_name("wrappers.yaml")
"""Sentences around a command that make it none, by language."""

WRAPPED = 25
"""Commands in each of those sentences."""

TEMPLATES = "templates"
"""Author of sentences from templates."""


UNKNOWN = -1
"""Tag of the words of a sentence whose free text is not marked."""

_WITH_FREE_TEXT = frozenset(
    (
        *("speak", "remember", "recall", "forget_about", "introduce", "say_who_i_am", "teach_object"),
        *("find_object", "look_at_object", "follow_object", "watch_scene", "set_reminder", "set_alarm", "set_timer"),
        *("add_to_list", "remove_from_list", "read_list"),
    )
)
"""Intents whose sentences have unmarked free text, unless one kind of it is marked."""

_LISTED = {"express_emotion": "emotion", "look": "direction"}
"""List of the value that an intent implies, unless the sentence has a word for it."""

_KINDS = {
    "set_alarm": "time",
    "add_to_list": "items",
    "remove_from_list": "items",
    "teach_object": "object",
    **dict.fromkeys(("set_timer", "change_timer", "cancel_schedule", "list_schedule"), "name"),
}
"""Kind of the free text in the templates of an intent, if it is not "text"."""


@dataclass(frozen=True)
class Labeled:
    """Sentence with its intent.

    Attributes:
        intent: Name of the intent with its fixed slots, or `NONE`.
        author: Who wrote the sentence.
        language: ISO 639-1 code.
        text: The sentence.
        words: Its words and marks.
        names: For each word, the name of the list that it is a value of, or "number"; empty for others.
        masked: Its words without marks, with the names of lists in place of their values.
        tags: Index of the kind of free text (`TAGS`) of each word, or `UNKNOWN`.
    """

    intent: str
    author: str
    language: str
    text: str
    words: tuple[str, ...]
    names: tuple[str, ...]
    masked: tuple[str, ...]
    tags: tuple[int, ...]


class Labeler:
    """Splits the sentences of a language into words with tags.

    Args:
        language: Sentence templates.
    """

    def __init__(self, language: Language) -> None:
        self._code = language.code
        self._finder = SlotFinder(language.common, dances(), language.words)

    def labeled(self, intent: str, author: str, marked: str) -> Labeled | None:
        """Labels a sentence in which free text is marked: "find my [object:keys]". Returns None if it has no words."""
        text, spans = unmarked(marked)
        words = tokens_of(text, self._code)
        plain = [word.text for word in words if not word.is_mark]
        if not plain:
            return None
        found = self._finder.find(plain)
        names = iter(found.names)
        is_marked = bool(spans) or intent.split()[0] not in _WITH_FREE_TEXT
        tags = [_tag(word, spans) if is_marked else UNKNOWN for word in words]
        name, _, implied = intent.partition(" ")
        if name in _LISTED and found.values.get(_LISTED[name]) == [implied.partition("=")[2]]:
            intent = name  # the list has the word for the value
        return Labeled(
            intent,
            author,
            self._code,
            text,
            tuple(word.text for word in words),
            tuple("" if word.is_mark else next(names) for word in words),
            found.masked,
            tuple(tags),
        )


def _tag(word: Word, spans: Sequence[tuple[int, int, str]]) -> int:
    return next((TAGS.index(kind) for start, end, kind in spans if start <= word.start and word.end <= end), 0)


def labeled(seed: int = 0) -> list[Labeled]:
    """Returns all sentences: written sentences, and random sentences from templates."""
    generator = random.Random(seed)
    found: list[Labeled | None] = []
    for path in sorted(LANGUAGES.iterdir()):
        language = load_language(path, dances())
        labeler = Labeler(language)
        written = list(_written(path.name))
        free = _free_texts(text for _, _, text in written)
        known = (*_exemplars(), *phrasings()) if path.name == "en" else ()
        sampled = list(_sampled(language, free, generator))
        wrapped = _wrapped(path.name, [text for intent, _, text in sampled if intent != NONE], generator)
        found += [labeler.labeled(*one) for one in (*written, *known, *sampled, *wrapped)]
    return [one for one in found if one is not None]


def _free_texts(marked: Iterable[str]) -> dict[str, list[str]]:
    """Returns the marked free texts of sentences by kind. A kind that no sentence has is represented by "this"."""
    found: dict[str, list[str]] = {kind: [] for kind in TAGS[1:]}
    for sentence in marked:
        for kind, text in MARKED.findall(sentence):
            found[kind].append(text)
    return {kind: texts or ["this"] for kind, texts in found.items()}


_OBJECT, _TEXT = "\ufffc", "\ufffd"
"""Places of free text in sentences from templates."""

_PLAIN = {
    "look {direction}": "look",
    "take a photo": "take_photo",
    "show {emotion}": "express_emotion",
    "what is your status": "get_robot_state",
    "turn your {body} to the {side}": "turn_body",
    "nod": "nod",
    "look straight ahead": "look_straight",
    "raise your {antenna}": "antennas_up",
    "go to sleep": "go_to_sleep",
    "look around": "look_around",
    "find the {thing}": "find_object",
    "what do you see": "describe_scene",
    "lower your {antenna}": "antennas_down",
    "follow me": "follow_me",
    "dance": "dance",
    "wake up": "wake_up",
    "stop following me": "stop_following",
    "wiggle your {antenna}": "antennas_wiggle",
    "look at the {thing}": "look_at_object",
    "tilt your head to the {side}": "tilt_head",
    "turn around": "turn_around",
    "shake your head": "shake",
    "turn your {body} straight ahead": "turn_body_straight",
    "detect objects": "detect_objects",
    "dance the {dance}": "dance",
    "tilt your head": "tilt",
    NONE: NONE,
}
"""Intent of each plain command of `nlu/exemplars.txt`. Those that name an emotion imply it."""


def _exemplars() -> Iterator[tuple[str, str, str]]:
    for one in exemplars():
        emotion = one.plain.removeprefix("show ")
        intent = _PLAIN.get(one.plain) or (f"express_emotion emotion={emotion}" if emotion != one.plain else "")
        if intent:
            yield intent, "exemplars", one.phrase


def _written(code: str) -> Iterator[tuple[str, str, str]]:
    path = FOLDER / f"{code}.tsv"
    if path.exists():
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                yield row["intent"], row["author"], row["sentence"]


def _wrapped(code: str, commands: Sequence[str], generator: random.Random) -> Iterator[tuple[str, str, str]]:
    """Yields sentences that only mention a command, such as "he said look left"."""
    for wrapper in yaml.safe_load(WRAPPERS.read_text(encoding="utf-8"))[code]:
        for command in generator.sample(commands, WRAPPED):
            yield NONE, TEMPLATES, wrapper.replace("{}", command)


def _sampled(
    language: Language, free: Mapping[str, Sequence[str]], generator: random.Random
) -> Iterator[tuple[str, str, str]]:
    for template in language.index.templates:
        slots = "".join(f" {name}={value}" for name, value in template.data.slots.items())
        name = NONE if template.intent == NO_COMMAND else f"{template.intent}{slots}"
        (sentence,) = template.data.sentences
        kind = _KINDS.get(template.intent, "text")
        texts = {
            " ".join(_filled(_sample(sentence.expression, language, generator), kind, free, generator).split())
            for _ in range(PER_TEMPLATE)
        }
        yield from ((name, TEMPLATES, text) for text in sorted(texts))


def _filled(text: str, kind: str, free: Mapping[str, Sequence[str]], generator: random.Random) -> str:
    """Replaces the places of free text in a sentence from a template by marked free text."""
    for place, filling in ((_OBJECT, "object"), (_TEXT, kind)):
        text = text.replace(place, f"[{filling}:{generator.choice(free[filling])}]")
    return text


def _sample(expression: Expression, language: Language, generator: random.Random) -> str:
    """Returns a random text that matches an expression."""
    if isinstance(expression, TextChunk):
        return expression.text
    if isinstance(expression, RuleReference):
        return _sample(language.index.rules[expression.rule_name].expression, language, generator)
    if isinstance(expression, ListReference):
        values = language.index.lists[expression.list_name]
        if isinstance(values, TextSlotList) and values.values:
            return _sample(generator.choice(values.values).text_in, language, generator)
        return _OBJECT if expression.list_name == NOUN else _TEXT
    if isinstance(expression, Alternative):
        return _sample(generator.choice(expression.items), language, generator)
    items: Sequence[Expression] = expression.items if isinstance(expression, Group) else ()
    if isinstance(expression, Permutation):
        items = generator.sample(items, len(items))
    return "".join(_sample(item, language, generator) for item in items)
