"""Accuracy of command recognition in each language, on sentences that were written independently of the recognizer.

Run `scripts/evaluate intents`. Without `--totals` it also prints the misunderstood sentences, to standard error.
Everybody who works on the templates, the classifier or their training data must use `--totals`.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from bench.report import Figure, percentile, print_report
from evaluation.understanding.judged_sentences import add_file_arguments
from evaluation.understanding.written_calls import matches, performed
from reachy_agent_ros.core.embedding import SentenceEmbedder
from reachy_agent_ros.motion.dance import dances
from reachy_agent_ros.motion.emotion import emotions
from reachy_agent_ros.nlu.command_recognizer import CommandRecognizer
from reachy_agent_ros.nlu.decision import Decision, DecisionKind
from reachy_agent_ros.nlu.free_phrasing import FreePhrasing
from reachy_agent_ros.nlu.templates.languages import TemplateLanguages, load_classifier
from reachy_agent_ros.nlu.vocabulary import Vocabulary

SENTENCES = sorted((Path(__file__).parent / "held_out").glob("commands_*.tsv"))

_BARS = {"en": (90.0, 97.0, 0.5), "other": (80.0, 95.0, 1.0)}
"""Bars of the commands right, right when acting, and other sentences acted on, %."""

_Z = 1.96
"""Normal quantile of a two-sided interval of 95 %."""


@dataclass(frozen=True)
class Sentence:
    """Labeled sentence.

    Attributes:
        language: ISO 639-1 code.
        text: Words as spoken or typed.
        expected: Expected calls; none if the sentence is not a command.
    """

    language: str
    text: str
    expected: Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Answer:
    """Recognition result of a sentence.

    Attributes:
        sentence: The sentence.
        decision: Decision of the recognizer.
        cpu: CPU time, ms.
    """

    sentence: Sentence
    decision: Decision
    cpu: float

    @property
    def acts(self) -> bool:
        """Whether the robot acts on the sentence."""
        return self.decision.kind is DecisionKind.ACT

    @property
    def right(self) -> bool:
        """Whether the robot carries out exactly the expected calls.

        For a sentence that is not a command, whether the robot does nothing.
        """
        expected, language = self.sentence.expected, self.sentence.language
        return self.acts and matches(expected, performed(self.decision), language) if expected else not self.acts


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options for the files and for the printed details."""
    add_file_arguments(parser)


def main(as_json: bool, file: Sequence[Path] | None = None, totals: bool = False) -> int:
    """Recognizes every sentence. Always returns exit code 0."""
    sentences = [sentence for path in file or SENTENCES for sentence in load(path)]
    decide = recognizer()
    answers = [_answer(decide, sentence) for sentence in sentences]
    print_report("intents", list(figures(answers)), as_json)
    for answer in () if totals else answers:
        if not answer.right:
            said, calls = answer.sentence, performed(answer.decision)
            print(f"{said.language}\t{answer.decision.kind.value}\t{said.text}\t{calls}", file=sys.stderr)
    return 0


def recognizer() -> Callable[[str], Decision]:
    """Returns the recognizer that a running robot uses, after its warm-up."""
    vocabulary = Vocabulary(emotions(), dances())
    free_phrasing = FreePhrasing(vocabulary, cache(SentenceEmbedder))
    languages = TemplateLanguages(vocabulary, classifier=load_classifier())
    free_phrasing.warm_up()
    languages.warm_up()
    return CommandRecognizer(vocabulary, free_phrasing, languages=languages).decide


def load(path: Path) -> Iterator[Sentence]:
    """Yields the sentences of a file.

    Raises:
        ValueError: A column is missing, or the expected calls are not JSON.
    """
    with path.open(encoding="utf-8", newline="") as lines:
        reader = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        missing = {"language", "sentence", "expected"} - set(reader.fieldnames or ())
        if missing:
            raise ValueError(f"{path.name}: missing columns {', '.join(sorted(missing))}")
        for row in reader:
            yield Sentence(row["language"], row["sentence"], json.loads(row["expected"]))


def figures(answers: Sequence[Answer]) -> Iterator[Figure]:
    """Computes the figures of each language."""
    for language in sorted({answer.sentence.language for answer in answers}):
        mine = [answer for answer in answers if answer.sentence.language == language]
        commands = [answer for answer in mine if answer.sentence.expected]
        others = [answer for answer in mine if not answer.sentence.expected]
        acts = [answer for answer in mine if answer.acts]
        right, precise, wrongly = _BARS.get(language, _BARS["other"])
        kinds = Counter(answer.decision.kind for answer in commands)
        acted = sum(answer.acts for answer in others)
        yield Figure(f"{language}: commands", len(commands), "")
        yield Figure(f"{language}: commands right", _share(sum(a.right for a in commands), commands), "%", right, True)
        yield Figure(f"{language}: commands asked about", _share(kinds[DecisionKind.ASK], commands), "%", 8.0)
        yield Figure(f"{language}: right when it acts", _share(sum(a.right for a in acts), acts), "%", precise, True)
        yield Figure(f"{language}: other sentences", len(others), "")
        yield Figure(f"{language}: other sentences acted on", _share(acted, others), "%", wrongly)
        yield Figure(f"{language}: other sentences acted on, 95 % bound", 100.0 * _upper(acted, len(others)), "%")
        yield Figure(f"{language}: CPU a sentence, p95", percentile([answer.cpu for answer in mine], 95), "ms", 10.0)


def _answer(decide: Callable[[str], Decision], sentence: Sentence) -> Answer:
    start = time.process_time()
    decision = decide(sentence.text)
    return Answer(sentence, decision, 1e3 * (time.process_time() - start))


def _share(count: int, of: Sequence[Answer]) -> float:
    return 100.0 * count / len(of) if of else 0.0


def _upper(count: int, total: int) -> float:
    """Returns the upper end of the 95 % Wilson interval of a proportion (0..1)."""
    if total == 0:
        return 1.0
    share, square = count / total, _Z * _Z / total
    return (share + square / 2 + _Z * math.sqrt(share * (1 - share) / total + square / (4 * total))) / (1 + square)
