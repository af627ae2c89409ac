"""Training sentences of the completeness classifier: complete sentences with their language and author.

Unfinished sentences are made from these: they are cut, or continued by words of `connectors.yaml`.
"""

from __future__ import annotations

import csv
import random
from collections.abc import Iterator
from pathlib import Path

import yaml

from training.intents.marked_text import unmarked
from training.stop.sentences import INTENTS, known_phrases, talk, voices
from training.stop.templates import FOLDER, read_templates, sentences
from training.turn.published_texts import published_sentences
from training.turn.sentence import Sentence

ANSWERS = Path(__file__).with_name("answers.tsv")
"""Short answers, such as "the red one": columns language, text."""

CONNECTORS = Path(__file__).with_name("connectors.yaml")
"""Fillers and connectors by language."""

PER_TEMPLATE = 2
"""Number of sentences of each template of the stop classifier."""

VALIDATED = (
    *("polite_guest", "tired_parent", "tested talk"),
    *("guest", "gast", "invite", "invitado", "ospite", "visita"),
    *("Treasure-Island_120", "CustomerService"),
    *("voice butler", "voice teen", "voice nurse", "voice host", "voice engineer"),
)
"""Authors that `--validate` does not train on."""


def complete_sentences(texts: Path, chance: random.Random) -> list[Sentence]:
    """Returns all sentences, without duplicates.

    Args:
        texts: Folder of `published_sentences`.
        chance: Random numbers for templates.
    """
    found = (*_commands(), *_talk(), *_templates(chance), *_answers(), *published_sentences(texts))
    return list({(one.language, one.text): one for one in found}.values())


def continuations() -> dict[str, dict[str, list[str]]]:
    """Returns the fillers and the connectors of each language."""
    read: dict[str, dict[str, list[str]]] = yaml.safe_load(CONNECTORS.read_text(encoding="utf-8"))
    return read


def _commands() -> Iterator[Sentence]:
    for path in sorted(INTENTS.glob("*.tsv")):
        for row in _rows(path):
            yield Sentence(path.stem, row["author"], unmarked(row["sentence"])[0])


def _talk() -> Iterator[Sentence]:
    for example in (*talk(), *voices(), *known_phrases()):
        yield Sentence(example.language, example.author, example.text)


def _templates(chance: random.Random) -> Iterator[Sentence]:
    for path in sorted(FOLDER.glob("*.txt")):
        templates, slots = read_templates(path)
        for template in templates:
            for text in sentences(template, slots, PER_TEMPLATE, chance):
                yield Sentence(template.language, template.author, text)


def _answers() -> Iterator[Sentence]:
    for row in _rows(ANSWERS):
        yield Sentence(row["language"], "answers", row["text"])


def _rows(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
