"""Tests of the recognition rates on sets of sentences. The thresholds are below the measured rates."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from reachy_agent_ros.core.embedding import SentenceEmbedder
from reachy_agent_ros.motion.dance import dances
from reachy_agent_ros.motion.emotion import emotions
from reachy_agent_ros.nlu.command_recognizer import CommandRecognizer
from reachy_agent_ros.nlu.decision import Action, Decision, DecisionKind
from reachy_agent_ros.nlu.free_phrasing import FreePhrasing
from reachy_agent_ros.nlu.templates.languages import TemplateLanguages, load_classifier
from reachy_agent_ros.nlu.vocabulary import Vocabulary

FILE = Path(__file__).with_name("phrasings.tsv")
DESCRIPTION = " +description"


@dataclass(frozen=True)
class Verdict:
    part: str
    expected: str
    decision: Decision

    @property
    def right(self) -> bool:
        if self.expected in ("defer", "ask"):
            return self.decision.kind.value == self.expected
        wanted = [calls_of(call) for call in self.expected.removesuffix(DESCRIPTION).split("; ")]
        described = self.decision.wants_description == self.expected.endswith(DESCRIPTION)
        return described and not self.decision.remainder and [told(one) for one in self.decision.actions] == wanted

    @property
    def acted(self) -> bool:
        return self.decision.kind is DecisionKind.ACT


def calls_of(call: str) -> tuple[str, ...]:
    tool, _, arguments = call.partition(" ")
    several = arguments.split() if arguments.count("=") > 1 else [arguments] if arguments else []
    return (tool, *sorted(several))


def told(action: Action) -> tuple[str, ...]:
    return (action.tool, *sorted(f"{name}={value}" for name, value in action.arguments.items()))


@cache
def verdicts(part: str) -> Sequence[Verdict]:
    return [Verdict(part, expected, reflex().decide(text)) for each, text, expected in rows() if each == part]


@cache
def reflex() -> CommandRecognizer:
    vocabulary = Vocabulary(emotions(), dances())
    languages = TemplateLanguages(vocabulary, classifier=load_classifier())
    return CommandRecognizer(vocabulary, FreePhrasing(vocabulary, SentenceEmbedder), languages=languages)


@cache
def rows() -> Sequence[list[str]]:
    return [line.split("\t") for line in FILE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]


def nightly(*arguments: object) -> Any:
    """Returns a test case that runs every night.

    Its sentences were used to write the rules, so the result is not an independent measurement.
    """
    return pytest.param(*arguments, marks=pytest.mark.nightly)


@pytest.mark.slow
@pytest.mark.parametrize(("part", "floor"), [nightly("developed", 0.96), ("later", 0.95), ("unseen", 0.6)])
def test_recognition_rate_of_commands_exceeds_threshold(part: str, floor: float) -> None:
    of_part = verdicts(part)
    assert sum(verdict.right for verdict in of_part) >= floor * len(of_part)


@pytest.mark.slow
@pytest.mark.parametrize(("part", "floor"), [nightly("developed", 0.98), ("later", 0.97), ("unseen", 0.88)])
def test_precision_of_recognized_actions_exceeds_threshold(part: str, floor: float) -> None:
    acts = [verdict for verdict in verdicts(part) if verdict.acted]
    assert sum(verdict.right for verdict in acts) >= floor * len(acts)


@pytest.mark.parametrize(
    ("parts", "ceiling"), [nightly(("developed", "later", "taught", "unseen"), 0.02), (("later", "unseen"), 0.03)]
)
def test_false_action_rate_is_below_threshold(parts: Sequence[str], ceiling: float) -> None:
    others = [verdict for part in parts for verdict in verdicts(part) if verdict.expected == "defer"]
    assert len(others) >= sum(len(verdicts(part)) for part in parts) / 5
    assert sum(verdict.acted for verdict in others) <= ceiling * len(others)
