from __future__ import annotations

import hashlib
import shutil
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from reachy_agent_ros.core.paths import state_directory
from reachy_agent_ros.tts.vits import FIRST_PIECE, LONGEST_PIECE, PARTS, Feeds, StreamedVits, WholeVits
from reachy_agent_ros.tts.vits_parts import NotDivisibleError, vits_parts
from reachy_agent_ros.tts.voice import CACHE, JOE
from support.one_tone import write_one_tone

HOP = 256


@cache
def model() -> tuple[Path, str]:
    return JOE.verified() / "en_US-joe-medium.onnx", JOE.sha256["en_US-joe-medium.onnx"]


@cache
def parts() -> StreamedVits:
    return vits_parts(*model(), state_directory() / CACHE)


@cache
def whole() -> WholeVits:
    return WholeVits(model()[0])


def feeds(count: int, pace: float = 1.0) -> Feeds:
    """Returns inputs of the network with random phonemes. They contain no noise, so the output is deterministic."""
    phonemes = np.random.default_rng(3).integers(1, 60, (1, count))
    scales = np.array([0.0, pace, 0.0], np.float32)
    return {"input": phonemes, "input_lengths": np.array([count], np.int64), "scales": scales}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("count", "pace"),
    [
        (1, 0.5),
        (60, 2.0),
        (150, 1.0),
        *(pytest.param(*case, marks=pytest.mark.nightly) for case in ((3, 1.0), (17, 1.0), (40, 0.5))),
    ],
)
def test_sound_of_network_parts_matches_complete_network(count: int, pace: float) -> None:
    ((expected, _),) = whole().pieces(feeds(count, pace))
    sounds, rests = zip(*parts().pieces(feeds(count, pace)), strict=True)
    assert np.abs(np.concatenate(sounds) - expected).max() < 1e-5
    assert [expected.size - size for size in np.cumsum([sound.size for sound in sounds])] == list(rests)


@pytest.mark.slow
def test_length_of_sound_pieces_is_limited() -> None:
    sizes = [sound.size for sound, _ in parts().pieces(feeds(150))]
    assert sizes[0] == FIRST_PIECE * HOP
    assert max(sizes) <= (LONGEST_PIECE + FIRST_PIECE) * HOP


@pytest.mark.slow
def test_network_parts_are_created_once(tmp_path: Path) -> None:
    file, digest = write_one_tone(tmp_path), "0" * 64
    (tmp_path / CACHE).mkdir()
    (tmp_path / CACHE / digest).symlink_to(state_directory() / CACHE / model()[1])
    parts()
    assert list(
        vits_parts(file, digest, tmp_path / CACHE).pieces(feeds(3))
    )  # uses the cached parts, not those of `file`


@pytest.mark.nightly
def test_damaged_network_parts_are_recreated(tmp_path: Path) -> None:
    folder = tmp_path / model()[1]
    folder.mkdir()
    for part in PARTS:
        (folder / part).write_bytes(b"")
    assert list(vits_parts(*model(), tmp_path).pieces(feeds(3)))
    assert [file.name for file in tmp_path.iterdir()] == [model()[1]]
    assert {file.name for file in folder.iterdir()} == {*PARTS, *(f"{part}.sha256" for part in PARTS)}


@pytest.mark.slow
def test_network_part_with_changed_byte_is_recreated(tmp_path: Path) -> None:
    parts()
    folder = tmp_path / model()[1]
    shutil.copytree(state_directory() / CACHE / model()[1], folder)
    content = (folder / PARTS[0]).read_bytes()
    middle = len(content) // 2
    (folder / PARTS[0]).write_bytes(content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :])
    vits_parts(*model(), tmp_path)
    assert (folder / PARTS[0]).read_bytes() == content


def test_rejects_network_that_cannot_be_divided_without_leaving_files(tmp_path: Path) -> None:
    file = write_one_tone(tmp_path)
    with pytest.raises(NotDivisibleError, match="latent"):
        vits_parts(file, hashlib.sha256(file.read_bytes()).hexdigest(), tmp_path / CACHE)
    assert list((tmp_path / CACHE).iterdir()) == []


@pytest.mark.slow
def test_unwritable_folder_is_reported_as_reason_for_undivided_network(tmp_path: Path) -> None:
    (tmp_path / CACHE).write_text("a file where the folder should be")
    with pytest.raises(NotDivisibleError, match="cannot store the parts"):
        vits_parts(*model(), tmp_path / CACHE)
