from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from evaluation.speech.clip import Clip
from evaluation.speech.pauses import Pause, PauseFinder, turns_in
from evaluation.speech.turns import Cuts, compared
from reachy_agent_ros.audio.samples import SAMPLE_RATE, Samples
from reachy_agent_ros.audio.sound_file import write_wav
from support.recordings import LOOK_LEFT, STOP, spoken
from support.speech_models import detector, recognizer


class Undecided:
    def probability(self, _samples: Samples) -> float:
        return 0.5


def test_finds_pause_within_turn_and_silence_after_it() -> None:
    turn = Clip("joe", "", np.concatenate([spoken(STOP, after=0.6), spoken(LOOK_LEFT, before=0.0, after=0.0)]))
    found = list(PauseFinder(detector(), recognizer(), Undecided()).pauses(turn))
    assert "stop" in found[0].text.lower()
    longest = max((pause for pause in found if not pause.ends_turn), key=lambda pause: pause.seconds)
    assert longest.seconds == pytest.approx(0.7, abs=0.3)
    assert found[-1].ends_turn
    assert [pause.ends_turn for pause in found].count(True) == 1


def test_reads_speaker_from_name_of_recording(tmp_path: Path) -> None:
    (tmp_path / "deeper").mkdir()
    write_wav(tmp_path / "deeper" / "1688-142285-0000.wav", np.ones(SAMPLE_RATE, np.int16), SAMPLE_RATE)
    (tmp_path / "LICENSE.TXT").write_text("not a recording")
    assert [clip.speaker for clip in turns_in(tmp_path)] == ["1688"]


def test_reports_folder_without_recordings(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="contains no recording"):
        turns_in(tmp_path)


def test_reports_damaged_recording(tmp_path: Path) -> None:
    (tmp_path / "a-1.wav").write_bytes(b"no sound")
    with pytest.raises(SystemExit, match="Cannot read"):
        turns_in(tmp_path)


def test_share_of_silence_alone_counts_cut_offs_of_all_speakers() -> None:
    cuts = [Cuts("a", ours=True, alone=True), Cuts("a", ours=False, alone=True), Cuts("b", ours=False, alone=False)]
    ours, alone, ratio = compared("text", cuts)
    assert (ours.value, alone.value, ratio.value) == (1.0, 2.0, 50.0)


def test_only_last_pause_ends_turn() -> None:
    assert Pause("a", "", 0.5, float("inf")).ends_turn
    assert not Pause("a", "", 0.5, 2.0).ends_turn
