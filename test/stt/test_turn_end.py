from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.audio.samples import Samples
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.stt.turn_end import WITH_SOUND, WITHOUT_SOUND, TurnEnd

SPEECH = np.zeros(16_000, np.int16)
PROBABILITIES = st.floats(0.0, 1.0)


@dataclass
class Sound:
    value: float

    def probability(self, _samples: Samples) -> float:
        return self.value


def silence(text: float, sound: Sound | None = None) -> float:
    found = TurnEnd(lambda _: text, sound).silence_needed("look left", SPEECH)
    assert found is not None
    return found


def test_unfinished_sentence_needs_more_silence_than_complete_sentence() -> None:
    assert silence(0.99) < 0.16
    assert silence(0.01) > 0.8


@given(PROBABILITIES, PROBABILITIES, PROBABILITIES)
def test_more_complete_text_or_sound_never_needs_more_silence(text: float, low: float, high: float) -> None:
    low, high = sorted((low, high))
    assert silence(high) <= silence(low)
    assert silence(text, Sound(high)) <= silence(text, Sound(low))


@pytest.mark.parametrize("weights", [WITHOUT_SOUND, WITH_SOUND])
def test_end_is_as_probable_as_not_after_needed_silence(weights: object) -> None:
    assert isinstance(weights, type(WITH_SOUND))
    needed = weights.silence_needed(0.6, 0.4)
    assert weights.log_odds(0.6, 0.4, needed) == pytest.approx(0.0)


def test_text_without_words_cannot_be_judged() -> None:
    def reject(_text: str) -> float:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, "no words")

    assert TurnEnd(reject, None).silence_needed("", SPEECH) is None


@given(PROBABILITIES, PROBABILITIES)
def test_probability_of_end_grows_with_cues(low: float, high: float) -> None:
    low, high = sorted((low, high))
    less, more = (TurnEnd(lambda _, value=value: value, None).probability("yes", SPEECH) for value in (low, high))
    assert 0.0 < less <= more < 1.0
