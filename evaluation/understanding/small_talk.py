"""Share of the first sentences of conversations that the robot understands without a language model.

Run `scripts/evaluate small_talk`. `--wrong` also prints misunderstood sentences, to standard error,
but only those that the rules may be fitted to.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bench.report import Figure, print_report
from reachy_agent_ros.core.embedding import SentenceEmbedder
from reachy_agent_ros.motion.dance import dances
from reachy_agent_ros.motion.emotion import emotions
from reachy_agent_ros.nlu.command_recognizer import CommandRecognizer
from reachy_agent_ros.nlu.dances import first_dance
from reachy_agent_ros.nlu.decision import DecisionKind
from reachy_agent_ros.nlu.free_phrasing import FreePhrasing
from reachy_agent_ros.nlu.small_talk import SmallTalkReader
from reachy_agent_ros.nlu.templates.languages import TemplateLanguages, load_classifier
from reachy_agent_ros.nlu.vocabulary import Vocabulary

SENTENCES = Path(__file__).parent / "small_talk_sentences.tsv"

MODEL = "none"
"""Answer that the sentence needs a model."""

UNSEEN = ("later", "first unseen")
"""Parts that the rules were not fitted to. Only these have figures, and only the others are printed."""


@dataclass(frozen=True)
class Sentence:
    """Sentence with the answers that are acceptable.

    Attributes:
        part: Part of the file.
        fair: Fair answers: topics, tools, "ask" or `MODEL`.
        text: Words as spoken or typed.
    """

    part: str
    fair: frozenset[str]
    text: str


@dataclass(frozen=True)
class Answer:
    """Answer of the robot to a sentence.

    Attributes:
        sentence: The sentence.
        kinds: Topic, tools, "ask" or `MODEL`.
    """

    sentence: Sentence
    kinds: frozenset[str]

    @property
    def sensible(self) -> bool:
        """Whether the answer is acceptable."""
        return bool(self.kinds) and self.kinds <= self.sentence.fair


class Recognizer:
    """Recognizers of commands and small talk, in the order in which a conversation without a model uses them."""

    def __init__(self) -> None:
        vocabulary, embedder = Vocabulary(emotions(), dances()), cache(SentenceEmbedder)
        languages = TemplateLanguages(vocabulary, first_dance, classifier=load_classifier())
        languages.warm_up()
        free_phrasing = FreePhrasing(vocabulary, embedder)
        self._commands = CommandRecognizer(vocabulary, free_phrasing, first_dance, languages)
        self._small_talk = SmallTalkReader(embedder)

    def answer(self, sentence: Sentence) -> Answer:
        """Returns the robot's answer to a sentence."""
        decision = self._commands.decide(sentence.text)
        if decision.kind is DecisionKind.ASK:
            return Answer(sentence, frozenset(("ask",)))
        if decision.kind is DecisionKind.ACT:
            return Answer(sentence, frozenset(action.tool for action in decision.actions))
        talk = self._small_talk.read_similar(sentence.text)
        return Answer(sentence, frozenset((MODEL if talk is None else talk.topic.value,)))


def load() -> list[Sentence]:
    """Reads all sentences."""
    lines = SENTENCES.read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    return [Sentence(part, frozenset(fair.split("|")), text) for part, fair, text, *_source in rows]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the option for printing misunderstood sentences."""
    parser.add_argument(
        "--wrong", action="store_true", help="also print misunderstood sentences of the developed parts"
    )


def main(as_json: bool, wrong: bool = False) -> int:
    """Answers every sentence. Always returns exit code 0."""
    recognizer = Recognizer()
    answers = [recognizer.answer(sentence) for sentence in load()]
    print_report("small_talk", list(figures(answers)), as_json)
    for answer in answers if wrong else ():
        if not answer.sensible and answer.sentence.part not in UNSEEN:
            print(f"{answer.sentence.text}\t{'|'.join(sorted(answer.kinds))}", file=sys.stderr)
    return 0


def figures(answers: Sequence[Answer]) -> Iterator[Figure]:
    """Computes the share of acceptable answers in each part that the rules were not fitted to."""
    for part in UNSEEN:
        found = [answer.sensible for answer in answers if answer.sentence.part == part]
        yield Figure(f"{part}: sentences", len(found), "")
        bar = 90.0 if part == UNSEEN[-1] else None
        yield Figure(f"{part}: answered sensibly", 100.0 * sum(found) / max(1, len(found)), "%", bar, at_least=True)
    needy = [answer for answer in answers if answer.sentence.part in UNSEEN and MODEL in answer.sentence.fair]
    left = 100.0 * sum(answer.sensible for answer in needy) / max(1, len(needy))
    yield Figure("unseen questions for a model, left to it", left, "%", 95.0, at_least=True)
