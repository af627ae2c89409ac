"""Training sentences of the intent classifier.

They are written sentences and random sentences from the templates of all languages.
"""

from __future__ import annotations

import csv
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml
from hassil.expression import Alternative, Expression, Group, ListReference, Permutation, RuleReference, TextChunk
from hassil.intents import TextSlotList

from reachy_agent_ros.motion.dance import dances
from reachy_agent_ros.nlu.classifier import exemplars
from reachy_agent_ros.nlu.templates.intent_classifier import NONE
from reachy_agent_ros.nlu.templates.language import LANGUAGES, NO_COMMAND, Language, load_language
from reachy_agent_ros.nlu.templates.slot_finder import SlotFinder
from reachy_agent_ros.nlu.templates.tokens import tokens_of

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


@dataclass(frozen=True)
class Labeled:
    """Sentence with its intent.

    Attributes:
        intent: Name of the intent with its fixed slots, or `NONE`.
        author: Who wrote the sentence.
        language: ISO 639-1 code.
        text: The sentence.
        masked: Its words with the names of lists in place of their values.
    """

    intent: str
    author: str
    language: str
    text: str
    masked: tuple[str, ...]


def labeled(seed: int = 0) -> list[Labeled]:
    """Returns all sentences: written sentences, and random sentences from templates."""
    generator = random.Random(seed)
    found: list[Labeled] = []
    for path in sorted(LANGUAGES.iterdir()):
        language = load_language(path, dances())
        finder = SlotFinder(language.common, dances())
        known = _exemplars() if path.name == "en" else ()
        sampled = list(_sampled(language, generator))
        wrapped = _wrapped(path.name, [text for intent, _, text in sampled if intent != NONE], generator)
        for intent, author, text in (*_written(path.name), *known, *sampled, *wrapped):
            words = [word.text for word in tokens_of(text, path.name) if not word.is_mark]
            if words:
                found.append(Labeled(intent, author, path.name, text, finder.find(words).masked))
    return found


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


def _sampled(language: Language, generator: random.Random) -> Iterator[tuple[str, str, str]]:
    for template in language.index.templates:
        slots = "".join(f" {name}={value}" for name, value in template.data.slots.items())
        name = NONE if template.intent == NO_COMMAND else f"{template.intent}{slots}"
        (sentence,) = template.data.sentences
        texts = {" ".join(_sample(sentence.expression, language, generator).split()) for _ in range(PER_TEMPLATE)}
        yield from ((name, TEMPLATES, text) for text in sorted(texts))


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
        return "..."
    if isinstance(expression, Alternative):
        return _sample(generator.choice(expression.items), language, generator)
    items: Sequence[Expression] = expression.items if isinstance(expression, Group) else ()
    if isinstance(expression, Permutation):
        items = generator.sample(items, len(items))
    return "".join(_sample(item, language, generator) for item in items)
