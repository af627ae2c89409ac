"""Accuracy and CPU time of the reflex on sentences that were written independently of its rules.

Run `scripts/evaluate reflex`. It takes at most one minute. `--wrong` also prints the misunderstood sentences to
standard error. Only the maintainer of the sentences should use it, and nobody who works on the reflex.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.report import Figure, percentile, print_report
from evaluation.understanding.expected_calls import Call
from evaluation.understanding.intents import recognizer
from evaluation.understanding.judged_sentences import Kind, Sentence, load
from reachy_agent_ros.nlu.decision import Decision

SENTENCES = Path(__file__).parent / "reflex_sentences.tsv"
DESCRIBE: Call = ("describe_image", {})


@dataclass(frozen=True)
class Answer:
    """Decision of the reflex for a sentence.

    Attributes:
        sentence: The sentence.
        decision: "act", "ask" or "defer".
        calls: Tool calls, including the description of the scene.
        cpu: CPU time of all threads, ms.
    """

    sentence: Sentence
    decision: str
    calls: tuple[Call, ...]
    cpu: float

    @property
    def right(self) -> bool:
        """Whether the decision of the reflex is accepted for the sentence."""
        return self.sentence.is_right(self.decision, self.calls)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the option for printing wrong decisions."""
    parser.add_argument("--wrong", action="store_true", help="also print the sentences it got wrong")


def main(as_json: bool, wrong: bool = False) -> int:
    """Runs the reflex on every sentence. Always returns exit code 0."""
    found, loading = answers()
    print_report("reflex", list(figures(found, loading)), as_json)
    for answer in found if wrong else ():
        if not answer.right:
            done = f"{answer.decision} {list(answer.calls)}"
            print(f"{answer.sentence.kind.value}\t{answer.sentence.text}\t{done}", file=sys.stderr)
    return 0


def answers() -> tuple[list[Answer], float]:
    """Returns the decision for each sentence, and the CPU time (ms) until the first decision."""
    sentences = load(SENTENCES)
    start = time.process_time()
    decide = recognizer()
    decide("hello")
    loading = 1e3 * (time.process_time() - start)
    return [_answer(decide, sentence) for sentence in sentences], loading


def figures(answers: Sequence[Answer], loading: float) -> Iterator[Figure]:
    """Computes the figures of all decisions."""
    commands = [answer for answer in answers if answer.sentence.is_command]
    others = [answer for answer in answers if not answer.sentence.is_command]
    acts = [answer for answer in answers if answer.decision == "act"]
    yield Figure("sentences", len(answers), "")
    yield Figure("commands: tool and arguments right", _share(a.right for a in commands), "%", 90.0, at_least=True)
    for kind in (Kind.PLAIN, Kind.FREE):
        yield Figure(f"{kind.value} commands right", _share(a.right for a in commands if a.sentence.kind is kind), "%")
    yield Figure("of what it acts on, right", _share(a.right for a in acts), "%", 98.0, at_least=True)
    wrongly = _share(a.decision == "act" and not a.right for a in others)
    yield Figure("other sentences, acted on", wrongly, "%", 1.0)
    for decision, name in (("ask", "asked back without need"), ("defer", "left to the model")):
        yield Figure(f"commands {name}", _share(a.decision == decision and not a.right for a in commands), "%")
    yield Figure("other sentences, asked about", _share(a.decision == "ask" for a in others), "%")
    costs = [answer.cpu for answer in answers]
    yield Figure("CPU a sentence, p50", percentile(costs, 50), "ms")
    yield Figure("CPU a sentence, p95", percentile(costs, 95), "ms", 40.0)
    yield Figure("CPU until the first decision, once", loading, "ms")


def _answer(decide: Callable[[str], Decision], sentence: Sentence) -> Answer:
    start = time.process_time()
    decision = decide(sentence.text)
    cpu = 1e3 * (time.process_time() - start)
    calls: list[Call] = [(action.tool, dict(action.arguments)) for action in decision.actions]
    if decision.wants_description:
        calls.append(DESCRIBE)
    return Answer(sentence, decision.kind.value, tuple(calls), cpu)


def _share(holds: Iterator[bool]) -> float:
    """Returns the percentage of true values; 100 for an empty list."""
    every = list(holds)
    return 100.0 * sum(every) / len(every) if every else 100.0
