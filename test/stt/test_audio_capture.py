from __future__ import annotations

import numpy as np
import pytest

from reachy_agent_ros.audio.samples import FULL_SCALE, SILENCE_DBFS
from reachy_agent_ros.stt.audio_capture import Level, LevelMeter


def test_level_meter_shows_silence_without_sound() -> None:
    assert LevelMeter().read() == Level(SILENCE_DBFS, SILENCE_DBFS, 0.0, 0.0)


def test_level_meter_shows_level_peak_and_offset_since_last_reading() -> None:
    meter = LevelMeter()
    meter.update(np.full(100, 3277, np.int16))
    meter.update(np.full(300, -3277, np.int16))
    level = meter.read()
    assert level.level_dbfs == pytest.approx(-20.0, abs=0.01)
    assert level.peak_dbfs == pytest.approx(-20.0, abs=0.01)
    assert level.offset == pytest.approx(-0.05, abs=0.001)
    assert level.clipped == 0.0
    assert meter.read() == Level()


def test_counts_samples_at_full_scale_as_clipped() -> None:
    meter = LevelMeter()
    meter.update(np.array([FULL_SCALE, -FULL_SCALE, -FULL_SCALE - 1, 0], np.int16))
    level = meter.read()
    assert level.clipped == 0.75
    assert level.peak_dbfs == 0.0
