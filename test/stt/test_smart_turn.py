from __future__ import annotations

import importlib.util

import numpy as np
import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.stt.smart_turn import SMART_TURN, SmartTurn
from support.recordings import LOOK_LEFT, spoken

INSTALLED = importlib.util.find_spec(SMART_TURN.package) is not None
needs_package = pytest.mark.skipif(not INSTALLED, reason=f"{SMART_TURN.package} is not installed")


@needs_package
def test_whole_sentence_sounds_more_complete_than_its_beginning() -> None:
    sound = SmartTurn()
    sentence = spoken(LOOK_LEFT, after=0.2)
    assert sound.probability(sentence) > sound.probability(sentence[: sentence.size // 2])


@needs_package
@pytest.mark.parametrize("seconds", [0.0, 0.1, 30.0])
def test_accepts_speech_of_any_length(seconds: float) -> None:
    speech = np.resize(spoken(LOOK_LEFT), int(seconds * 16_000))
    assert 0.0 <= SmartTurn().probability(speech) <= 1.0


def test_reports_missing_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(AgentError, match="The package pipecat is not installed") as error:
        SmartTurn()
    assert error.value.code is ErrorCode.MODEL_UNAVAILABLE
