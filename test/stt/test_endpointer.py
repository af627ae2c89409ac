from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.stt.endpointer import Endpointer, EndpointEvent, Endpointing

RULES = Endpointing(start_frames=3, pre_roll=4, draft_frames=2, hangover=5, longest=30, merge=0)

MERGING = replace(RULES, merge=8)

SILENT_FRAME = np.zeros(512, np.int16)

PATTERNS = st.lists(st.tuples(st.integers(1, 25), st.integers(1, 25)), max_size=8)
"""Strategy for alternating numbers of frames with speech and of the pause after it."""

PROBABILITIES = st.lists(st.sampled_from([0.0, 0.3, 0.6, 0.69, 0.7, 1.0]), max_size=200)


def events(
    probabilities: list[float], rules: Endpointing = RULES, loud: bool = False
) -> tuple[list[tuple[int, EndpointEvent]], list[list[int]]]:
    """Returns the events with their frame numbers, and the frame numbers of each completed utterance."""
    endpointer = Endpointer(rules)
    seen: list[tuple[int, EndpointEvent]] = []
    ended: list[list[int]] = []
    for number, probability in enumerate(probabilities):
        event = endpointer.push(np.array([number], np.int16), probability, loud)
        if event is not None:
            seen.append((number, event))
        if event is EndpointEvent.ENDED:
            ended.append(endpointer.utterance.tolist())
    if endpointer.finish() is EndpointEvent.ENDED:
        seen.append((len(probabilities), EndpointEvent.ENDED))
        ended.append(endpointer.utterance.tolist())
    return seen, ended


def test_utterance_includes_pre_roll_and_ends_after_hangover() -> None:
    seen, ended = events([0.0] * 10 + [1.0] * 8 + [0.0] * 20)
    assert seen == [(12, EndpointEvent.STARTED), (19, EndpointEvent.PAUSED), (22, EndpointEvent.ENDED)]
    assert ended == [list(range(6, 23))]


def test_click_does_not_start_utterance() -> None:
    assert events([0.0, 1.0, 1.0, 0.0] * 10)[0] == []


def test_utterance_continues_after_short_pause() -> None:
    seen, ended = events([1.0] * 5 + [0.0] * 3 + [1.0] * 5)
    assert [event for _, event in seen] == [
        EndpointEvent.STARTED,
        EndpointEvent.PAUSED,
        EndpointEvent.RESUMED,
        EndpointEvent.ENDED,
    ]
    assert len(ended) == 1


def test_low_speech_probability_continues_utterance_but_does_not_start_one() -> None:
    assert events([0.6] * 50)[0] == []
    assert events([1.0] * 3 + [0.6] * 20)[0] == [(2, EndpointEvent.STARTED), (23, EndpointEvent.ENDED)]


@given(PROBABILITIES)
def test_utterances_are_disjoint_and_limited_in_length(probabilities: list[float]) -> None:
    ended = events(probabilities)[1]
    frames = [frame for utterance in ended for frame in utterance]
    assert frames == sorted(set(frames))
    for utterance in ended:
        assert utterance == list(range(utterance[0], utterance[-1] + 1))
        assert len(utterance) <= RULES.longest
        assert sum(probabilities[frame] >= RULES.start_probability for frame in utterance) >= RULES.start_frames


@given(PROBABILITIES)
def test_endpointer_pairs_start_and_end_events(probabilities: list[float]) -> None:
    open_, paused = False, False
    for _, event in events(probabilities)[0]:
        if event is EndpointEvent.STARTED:
            assert not open_
            open_ = True
        else:
            assert open_
        assert event is not EndpointEvent.RESUMED or paused
        paused = event is EndpointEvent.PAUSED
        open_ = open_ and event is not EndpointEvent.ENDED
    assert not open_


def test_utterances_separated_by_short_gap_are_merged() -> None:
    _, ended = events([1.0] * 5 + [0.0] * 10 + [1.0] * 5 + [0.0] * 20, MERGING)
    assert ended == [list(range(10)), list(range(25))]


def test_utterances_separated_by_long_pause_are_not_merged() -> None:
    _, ended = events([1.0] * 5 + [0.0] * 12 + [1.0] * 5 + [0.0] * 20, MERGING)
    assert [utterance[0] for utterance in ended] == [0, 13]


def test_sealed_utterance_or_other_stream_is_not_merged() -> None:
    for close in (Endpointer.seal, Endpointer.finish):
        endpointer = Endpointer(MERGING)
        for probability in [1.0] * 5 + [0.0] * 5:
            endpointer.push(np.zeros(1, np.int16), probability)
        close(endpointer)
        assert [endpointer.push(np.zeros(1, np.int16), 1.0) for _ in range(3)][-1] is EndpointEvent.STARTED
        assert not endpointer.merged


def test_loud_motors_raise_threshold_for_start_of_speech() -> None:
    assert events([0.9] * 20, loud=True)[0] == []
    assert events([1.0] * 7 + [0.0], loud=True)[0] == []
    assert events([1.0] * 8, loud=True)[0] == [(7, EndpointEvent.STARTED), (8, EndpointEvent.ENDED)]


@pytest.mark.parametrize("loud_frames", [0, 7, 8])
def test_utterance_includes_whole_pre_roll_while_motors_are_loud(loud_frames: int) -> None:
    endpointer = Endpointer(RULES)
    loud = [False] * 20 + [True] * loud_frames + [False] * 3
    for number, motors in enumerate(loud):
        speech = 1.0 if number >= 20 else 0.0
        if endpointer.push(np.array([number], np.int16), speech, motors) is EndpointEvent.STARTED:
            break
    assert endpointer.utterance[0] == 20 - RULES.pre_roll
    assert endpointer.voiced == (RULES.loud_start_frames if loud_frames else RULES.start_frames)


@pytest.mark.slow
@given(PATTERNS)
def test_any_utterances_are_merged_only_across_short_pauses(pattern: list[tuple[int, int]]) -> None:
    rules = replace(MERGING, longest=10_000)
    probabilities = [value for speech, pause in pattern for value in [1.0] * speech + [0.0] * pause]
    apart, merged = events(probabilities, replace(rules, merge=0))[1], events(probabilities, rules)[1]
    assert len(merged) == len(apart)
    for number, (alone, whole) in enumerate(zip(apart, merged, strict=True)):
        assert whole == list(range(whole[0], whole[-1] + 1))
        assert whole[-1] == alone[-1]
        goes_on = number > 0 and started(alone, probabilities) - apart[number - 1][-1] <= rules.merge
        assert whole[0] == (merged[number - 1][0] if goes_on else alone[0])


@given(PATTERNS)
def test_length_of_merged_utterances_is_limited(pattern: list[tuple[int, int]]) -> None:
    probabilities = [value for speech, pause in pattern for value in [1.0] * speech + [0.0] * pause]
    assert all(len(utterance) <= RULES.longest for utterance in events(probabilities, MERGING)[1])


def started(utterance: list[int], probabilities: list[float]) -> int:
    """Returns the number of the frame in which the beginning of an utterance was detected."""
    return next(
        number
        for number in utterance
        if all(probabilities[frame] >= RULES.start_probability for frame in range(number - 2, number + 1))
    )


LOUD, SOFT, FAINT, QUIET = 10_000, 1_000, 500, 100
"""Levels relative to `LOUD` speech: `SOFT` (-20 dB) is no lull, `FAINT` (-26 dB) is a lull with audible sound, and
`QUIET` (-40 dB) is silence."""


def lulles(levels: list[int]) -> list[int]:
    """Returns the numbers of the frames at which a lull begins, which is a drop in level.

    The detector reports speech in all frames.
    """
    endpointer = Endpointer(RULES)
    seen = [endpointer.push(np.full(512, level, np.int16), 1.0) for level in levels]
    return [number for number, event in enumerate(seen) if event is EndpointEvent.LULLED]


def test_lull_begins_before_detector_reports_silence() -> None:
    assert lulles([LOUD] * 6 + [QUIET] * 4) == [6]


def test_drop_in_level_counts_as_lull_but_soft_sound_does_not() -> None:
    assert lulles([LOUD] * 6 + [SOFT] * 4) == []
    assert lulles([LOUD] * 5 + [QUIET] * 2 + [SOFT] + [QUIET] * 2) == [5, 8]


def test_lull_is_relative_to_loudest_frame_of_utterance() -> None:
    assert lulles([QUIET] * 8) == []
    assert lulles([LOUD] * 3 + [QUIET] * 4) == [3]


def test_soft_sound_ends_lull() -> None:
    endpointer = Endpointer(RULES)
    still = []
    for level in [LOUD] * 5 + [QUIET] * 3 + [FAINT] + [QUIET] * 2:
        endpointer.push(np.full(512, level, np.int16), 1.0)
        still.append(endpointer.still)
    assert still == [False] * 5 + [True] * 3 + [False] * 3


def test_endpointer_reports_lull_before_pause() -> None:
    endpointer = Endpointer(RULES)
    frames = [(LOUD, 1.0)] * 5 + [(LOUD, 0.0), (QUIET, 0.0), (QUIET, 0.0)]
    seen = [endpointer.push(np.full(512, level, np.int16), probability) for level, probability in frames]
    assert seen[-3:] == [None, EndpointEvent.LULLED, EndpointEvent.PAUSED]


def test_utterance_ends_after_silence_set_by_decision() -> None:
    endpointer = Endpointer(RULES)
    for _ in range(3):
        endpointer.push(SILENT_FRAME, 1.0)
    seen = [endpointer.push(SILENT_FRAME, 0.0) for _ in range(2)]
    assert seen == [None, EndpointEvent.PAUSED]
    endpointer.needed = 9
    assert [endpointer.push(SILENT_FRAME, 0.0) for _ in range(7)] == [None] * 6 + [EndpointEvent.ENDED]


def test_decision_is_forgotten_when_speaker_continues() -> None:
    endpointer = Endpointer(RULES)
    for probability in (1.0, 1.0, 1.0, 0.0, 0.0):
        endpointer.push(SILENT_FRAME, probability)
    endpointer.needed = 20
    assert endpointer.push(SILENT_FRAME, 1.0) is EndpointEvent.RESUMED
    assert endpointer.needed == RULES.hangover
