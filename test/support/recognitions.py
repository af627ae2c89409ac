"""Counts how often intent recognition processes a text in this process."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import pytest

from reachy_agent_ros.nlu import stop_rule
from reachy_agent_ros.nlu.command_recognizer import CommandRecognizer
from reachy_agent_ros.nlu.decision import Decision
from reachy_agent_ros.nlu.stop import stop_detector


@dataclass
class Recognitions:
    """Number of times that each text was processed, keyed by text.

    Attributes:
        commands: Counts of the command recognizer.
        cries: Counts of the urgent stop detector.
    """

    commands: Counter[str] = field(default_factory=Counter)
    cries: Counter[str] = field(default_factory=Counter)


def count_recognitions(monkeypatch: pytest.MonkeyPatch) -> Recognitions:
    """Clears all caches, as in a new process, and starts counting."""
    counted = Recognitions()
    decide, plain_words = CommandRecognizer.decide, stop_detector.plain_words

    def counting_decide(recognizer: CommandRecognizer, text: str) -> Decision:
        counted.commands[text] += 1
        return decide(recognizer, text)

    def counting_words(text: str) -> list[str]:
        counted.cries[text] += 1
        return plain_words(text)

    monkeypatch.setattr(CommandRecognizer, "decide", counting_decide)
    monkeypatch.setattr(stop_detector, "plain_words", counting_words)
    stop_rule._stops.cache_clear()
    stop_detector.stop_detector.cache_clear()
    return counted
