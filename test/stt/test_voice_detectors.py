from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.audio.samples import Samples
from reachy_agent_ros.stt.voice_detectors import FRAME, VOICE_DETECTORS, VoiceDetector, WebRtc
from support.recordings import LOOK_LEFT, spoken


def probabilities(detector: VoiceDetector, samples: Samples) -> list[float]:
    detector.reset()
    frames = samples[: samples.size // FRAME * FRAME].reshape(-1, FRAME)
    return [detector.probability(frame) for frame in frames]


@pytest.mark.parametrize("name", VOICE_DETECTORS)
def test_detects_speech_only_while_person_speaks(name: str) -> None:
    judged = probabilities(VOICE_DETECTORS[name](), spoken(LOOK_LEFT, before=1.0, after=0.0))
    assert max(judged[:28]) < 0.55
    assert np.mean(np.array(judged[40:80]) >= 0.7) > 0.6


@pytest.mark.parametrize("name", VOICE_DETECTORS)
def test_reset_makes_voice_detection_reproducible(name: str) -> None:
    detector = VOICE_DETECTORS[name]()
    sound = spoken(LOOK_LEFT)
    assert probabilities(detector, sound) == probabilities(detector, sound)


@pytest.mark.slow
@given(st.lists(st.integers(-32768, 32767), min_size=FRAME, max_size=FRAME))
def test_webrtc_detector_gives_probability_for_any_sound(samples: list[int]) -> None:
    assert 0.0 <= WebRtc().probability(np.array(samples, np.int16)) <= 1.0
