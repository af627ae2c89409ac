"""Labeled texts, complete or not, which the completeness classifier was neither trained nor tuned on."""

from __future__ import annotations

import csv
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from bench.report import Figure
from evaluation.speech.package_cache import wheels
from reachy_agent_ros.learning.evaluation.summary import share
from training.turn.published_texts import HELD_OUT, LOCALES
from training.turn.published_texts import prompts as read_prompts

SENTENCES = Path(__file__).with_name("turn_sentences.tsv")
"""Sentences that were written before the classifier existed: columns language, complete, text."""

CORPUS = "chatterbot-corpus==1.3.3"
FOLDERS = {"en": "english", "de": "german", "fr": "french", "es": "spanish", "it": "italian", "pt": "portuguese"}
"""Folders of the corpus (BSD-3-Clause), by language."""

WORDS = range(3, 21)
"""Numbers of words of the lines of the corpus to use."""

LINES = 300
"""Maximum number of lines for each language."""

SEED = 2026


@dataclass(frozen=True)
class TurnText:
    """Text with its label.

    Attributes:
        language: ISO 639-1 code.
        complete: Whether the speaker has finished.
        text: Words as transcribed.
    """

    language: str
    complete: bool
    text: str


def written() -> list[TurnText]:
    """Returns the sentences of `turn_sentences.tsv`."""
    with SENTENCES.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [TurnText(row["language"], row["complete"] == "1", row["text"]) for row in rows]


def lines_of_corpus() -> Iterator[TurnText]:
    """Yields lines of ordinary conversation, whole and cut."""
    folder = wheels(CORPUS) / "chatterbot_corpus" / "data"
    for language, name in FOLDERS.items():
        found: dict[str, None] = {}
        for path in sorted((folder / name).glob("*.yml")):
            talks = yaml.safe_load(path.read_text(encoding="utf-8")).get("conversations") or []
            found |= dict.fromkeys(str(line).rstrip(" .!?") for talk in talks for line in talk if line)
        yield from whole_and_cut(language, list(found))


def prompts(folder: Path) -> Iterator[TurnText]:
    """Yields prompts of conversations from a clone of `rhasspy/piper-recording-studio`, whole and cut."""
    for locale in LOCALES:
        for path in (folder / "prompts").glob(f"*_{locale}/*_{HELD_OUT}.txt"):
            yield from whole_and_cut(locale[:2], [one.text.rstrip(" .!?") for one in read_prompts(path, "", "")])


def whole_and_cut(language: str, lines: Sequence[str]) -> Iterator[TurnText]:
    """Yields up to `LINES` lines without marks at the end, and each of them cut at a random word.

    A cut line may be complete by chance.
    """
    chance = random.Random(SEED)
    chosen = [line for line in lines if len(line.split()) in WORDS]
    for line in chance.sample(chosen, min(LINES, len(chosen))):
        words = line.split()
        yield TurnText(language, True, line)
        yield TurnText(language, False, " ".join(words[: chance.randrange(1, len(words))]))


def figures(name: str, texts: Sequence[TurnText], probability: Callable[[str], float]) -> Iterator[Figure]:
    """Yields the shares of complete and unfinished texts that are recognized, with their 95 % intervals."""
    for language in (*dict.fromkeys(text.language for text in texts), ""):
        for complete in (True, False):
            chosen = [text for text in texts if text.complete == complete and language in ("", text.language)]
            right = sum((probability(text.text) > 0.5) == complete for text in chosen)
            rate = share(right, len(chosen))
            label = f"{'complete' if complete else 'unfinished'} recognized, {language or 'all'} ({len(chosen)})"
            yield Figure(f"{name}: {label}, {100 * rate.low:.0f} to {100 * rate.high:.0f}", 100.0 * rate.value, "%")
