"""Training and validation sentences of the stop classifier.

They are from templates, own examples, voices and packages.
"""

from __future__ import annotations

import csv
import random
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import yaml

from reachy_agent_ros.nlu.stop.lexicon import StopLexicon
from reachy_agent_ros.nlu.stop.plain_words import plain_words
from training.intents.marked_text import unmarked
from training.stop.noise import random_words
from training.stop.templates import FOLDER, read_templates, sentences

REPOSITORY = Path(__file__).resolve().parents[2]
OWN_EXAMPLES = Path(__file__).with_name("own_examples.txt")
VOICE = "voice "
"""Prefix of the authors of the utterances in `VOICES`."""

VOICES = REPOSITORY / "training" / "reward" / "utterances"
CONVERSATIONS = {
    "en": "english",
    "de": "german",
    "fr": "french",
    "es": "spanish",
    "it": "italian",
    "pt": "portuguese",
}
"""Folders of the package `chatterbot-corpus` (BSD-3-Clause), which contains ordinary talk."""

LANGUAGES = tuple(CONVERSATIONS)

HELD_OUT_AUTHORS = frozenset(
    {
        *("guest", "gast", "invite", "invitado", "ospite", "visita"),
        *("worker", "pfleger", "soignant", "enfermera", "infermiera", "enfermeira"),
        *("narrator", "erzaehler", "narrateur", "narrador", "narratore"),
    }
)
"""Authors of templates that validation uses. The final training uses all authors of templates."""

HELD_OUT_VOICES = 2
"""Every second voice of `training/reward/utterances`, in alphabetical order, is never trained on."""

TESTED_TALK = "tested talk"
"""Author of the ordinary talk that is not learned from."""

MOST_OF_TEMPLATE = 60
LONGEST_TALK = 200
"""Limit of characters of ordinary talk. Longer answers are articles and programs."""

TALK = Path(__file__).with_name("talk")
"""One file of ordinary talk for each language, a sentence per line, half of which look like a stop."""

LEARNED_TALK = 0.8
"""Share of each file that is trained on, from its beginning. The limit of the classifier is chosen on the rest."""

INTENTS = REPOSITORY / "training" / "intents" / "sentences"
STOPPING = ("stop", "pause")
"""Prefixes of the names of intents that may be a stop."""

COMMON_WORDS = 4_000
SALADS = 1_500
"""Number of random sentences for each language."""


@dataclass(frozen=True)
class Example:
    """Labeled sentence.

    Attributes:
        text: Sentence.
        labels: Accepted labels of the classifier.
        language: ISO 639-1 code.
        author: Voice.
        weight: Weight in the loss.
    """

    text: str
    labels: tuple[str, ...]
    language: str
    author: str
    weight: float = 1.0


def divided(chance: random.Random, validate: bool) -> tuple[list[Example], list[Example]]:
    """Returns the training sentences, and the validation sentences by other authors.

    Args:
        chance: Random numbers for templates and word salads.
        validate: Whether to test the authors for validation instead of learning from them.
    """
    written = [*from_templates(chance), *own_examples(), *voices(), *talk()]
    tested = [
        example
        for example in written
        if is_held_out_voice(example.author)
        or example.author == TESTED_TALK
        or (validate and example.author in HELD_OUT_AUTHORS)
    ]
    excluded = set(tested)
    learned = [example for example in written if example not in excluded]
    learned += [*conversations(), *intents(), *known_phrases(), *word_salads(SALADS, chance)]
    return learned, tested


def from_templates(chance: random.Random) -> Iterator[Example]:
    """Yields sentences of all templates."""
    for path in sorted(FOLDER.glob("*.txt")):
        templates, slots = read_templates(path)
        for template in templates:
            for text in sentences(template, slots, MOST_OF_TEMPLATE, chance):
                yield Example(text, template.labels, template.language, template.author)


def own_examples() -> Iterator[Example]:
    """Yields examples of earlier versions. Lines with "!" are urgent stops, and lines with "-" are not stops."""
    for line in OWN_EXAMPLES.read_text(encoding="utf-8").splitlines()[1:]:
        labels = ("plain", "urgent") if line.startswith("!") else ("none", "calm")
        yield Example(line[2:], labels, "en", "own", 2.0)


def voices() -> Iterator[Example]:
    """Yields the utterances of the reward model. Each voice counts as an author."""
    for path in sorted(VOICES.glob("*.tsv")):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                labels = ("plain", "urgent") if row["category"] == "stop" else ("none", "calm")
                yield Example(row["text"], labels, "en", f"{VOICE}{path.stem}", 2.0)


def is_held_out_voice(author: str) -> bool:
    """Returns whether a voice of the reward model is always held out for tests."""
    names = [f"{VOICE}{path.stem}" for path in sorted(VOICES.glob("*.tsv"))]
    return author in names and names.index(author) % HELD_OUT_VOICES == 1


def conversations() -> Iterator[Example]:
    """Yields ordinary conversation from the package `chatterbot-corpus`. Omits lines longer than `LONGEST_TALK`.

    Unlike `intents`, it does not omit lines that the lexicon takes for a stop: the package contains no stops.
    """
    found = find_spec("chatterbot_corpus")
    if found is None or not found.submodule_search_locations:
        raise SystemExit("The package chatterbot-corpus is missing: pip install -r requirements/stop-training.txt")
    for language, folder in CONVERSATIONS.items():
        for path in sorted((Path(found.submodule_search_locations[0]) / "data" / folder).glob("*.yml")):
            talks = yaml.safe_load(path.read_text(encoding="utf-8")).get("conversations") or []
            for line in dict.fromkeys(
                str(line) for talk in talks for line in talk if line and len(str(line)) <= LONGEST_TALK
            ):
                yield Example(line, ("none",), language, f"chatterbot/{path.stem}")


def talk() -> Iterator[Example]:
    """Yields ordinary conversation that was written for this training."""
    for path in sorted(TALK.glob("*.txt")):
        lines = path.read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines):  # neighbors belong together, so that a random choice would not be apart
            author = "talk" if number < LEARNED_TALK * len(lines) else TESTED_TALK
            yield Example(line, ("none",), path.stem, author, 2.0)


def intents() -> Iterator[Example]:
    """Yields the sentences of the classifier of intents that do not ask for a stop."""
    lexicon = StopLexicon()
    for path in sorted(INTENTS.glob("*.tsv")):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                text, _ = unmarked(row["sentence"])
                if not row["intent"].startswith(STOPPING) and not lexicon.level(plain_words(text)):
                    yield Example(text, ("none",), path.stem, f"intents/{row['author']}")


def known_phrases() -> Iterator[Example]:
    """Yields commands and small talk of the repository that do not stop the robot."""
    nlu = REPOSITORY / "reachy_agent_ros" / "nlu"
    for line in (nlu / "small_talk.tsv").read_text(encoding="utf-8").splitlines():
        if "\t" in line and not line.startswith("#"):
            yield Example(line.split("\t")[1], ("none",), "en", "small talk", 0.5)
    heading = ""
    for line in (nlu / "exemplars.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            heading = line
        elif line and not line.startswith("#") and "stop" not in heading and "{" not in line:
            yield Example(line, ("none", "calm") if "stop" in line else ("none",), "en", "commands")


def word_salads(count: int, chance: random.Random) -> Iterator[Example]:
    """Yields random common words as negative examples.

    Most words of a language are unrelated to stopping.
    """
    from wordfreq import top_n_list

    for language in LANGUAGES:
        words = [word for word in top_n_list(language, COMMON_WORDS) if len(word) > 1]
        for _ in range(count):
            yield Example(random_words(words, chance), ("none",), language, "salad", 0.5)
