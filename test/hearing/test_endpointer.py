from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.hearing.endpointer import Endpointer, Endpointing, Event

RULES = Endpointing(start_frames=3, pre_roll=4, draft_frames=2, hangover=5, longest=30)

PROBABILITIES = st.lists(st.sampled_from([0.0, 0.3, 0.6, 0.69, 0.7, 1.0]), max_size=200)


def events(probabilities: list[float]) -> tuple[list[tuple[int, Event]], list[list[int]]]:
    """Events by frame number, and the frame numbers of each ended utterance."""
    endpointer = Endpointer(RULES)
    seen: list[tuple[int, Event]] = []
    ended: list[list[int]] = []
    for number, probability in enumerate(probabilities):
        event = endpointer.push(np.array([number], np.int16), probability)
        if event is not None:
            seen.append((number, event))
        if event is Event.ENDED:
            ended.append(endpointer.utterance.tolist())
    if endpointer.finish() is Event.ENDED:
        seen.append((len(probabilities), Event.ENDED))
        ended.append(endpointer.utterance.tolist())
    return seen, ended


def test_an_utterance_has_its_pre_roll_and_ends_after_the_hangover() -> None:
    seen, ended = events([0.0] * 10 + [1.0] * 8 + [0.0] * 20)
    assert seen == [(12, Event.STARTED), (19, Event.PAUSED), (22, Event.ENDED)]
    assert ended == [list(range(6, 23))]


def test_a_click_begins_nothing() -> None:
    assert events([0.0, 1.0, 1.0, 0.0] * 10)[0] == []


def test_a_short_pause_is_resumed() -> None:
    seen, ended = events([1.0] * 5 + [0.0] * 3 + [1.0] * 5)
    assert [event for _, event in seen] == [Event.STARTED, Event.PAUSED, Event.RESUMED, Event.ENDED]
    assert len(ended) == 1


def test_between_the_two_thresholds_speech_goes_on_but_does_not_begin() -> None:
    assert events([0.6] * 50)[0] == []
    assert events([1.0] * 3 + [0.6] * 20)[0] == [(2, Event.STARTED), (23, Event.ENDED)]


@given(PROBABILITIES)
def test_no_frame_is_in_two_utterances_and_none_is_too_long(probabilities: list[float]) -> None:
    ended = events(probabilities)[1]
    frames = [frame for utterance in ended for frame in utterance]
    assert frames == sorted(set(frames))
    for utterance in ended:
        assert utterance == list(range(utterance[0], utterance[-1] + 1))
        assert len(utterance) <= RULES.longest
        assert sum(probabilities[frame] >= RULES.start_probability for frame in utterance) >= RULES.start_frames


@given(PROBABILITIES)
def test_every_start_has_one_end_and_every_resume_a_pause(probabilities: list[float]) -> None:
    open_, paused = False, False
    for _, event in events(probabilities)[0]:
        if event is Event.STARTED:
            assert not open_
            open_ = True
        else:
            assert open_
        assert event is not Event.RESUMED or paused
        paused = event is Event.PAUSED
        open_ = open_ and event is not Event.ENDED
    assert not open_
