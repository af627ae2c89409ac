"""Export of demonstrations in the Minari and LeRobot formats, checked without the libraries Minari and LeRobot."""

import json
from pathlib import Path

import h5py
import numpy as np
import pyarrow.parquet as parquet
import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.demonstrations.exports import Episode, episodes, export_lerobot, export_minari
from reachy_agent_ros.learning.demonstrations.index import Demonstrations
from support.learning.shown import nod, recorded


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> list[Episode]:
    demonstrations = Demonstrations(tmp_path_factory.mktemp("demonstrations"))
    chosen = [recorded(demonstrations), recorded(demonstrations, nod(1.0))]
    return episodes(demonstrations, chosen, 25.0)


def test_minari_episode_has_one_more_observation_than_actions(two: list[Episode], tmp_path: Path) -> None:
    export_minari(two, tmp_path / "set", "reachy/nod-v0")
    metadata = json.loads((tmp_path / "set" / "data" / "metadata.json").read_text())
    assert (metadata["total_episodes"], metadata["total_steps"]) == (2, 75)
    with h5py.File(tmp_path / "set" / "data" / "main_data.hdf5") as file:
        first = file["episode_0"]
        assert first["observations"].shape == (51, 9)
        assert first["actions"].shape == (50, 9)
        assert list(first["terminations"]) == [False] * 49 + [True]
        assert np.allclose(first["actions"][:-1], first["observations"][1:-1])


def test_lerobot_frame_index_continues_across_episodes(two: list[Episode], tmp_path: Path) -> None:
    export_lerobot(two, tmp_path / "set", 25)
    info = json.loads((tmp_path / "set" / "meta" / "info.json").read_text())
    assert (info["codebase_version"], info["fps"], info["total_frames"]) == ("v3.0", 25, 75)
    frames = parquet.read_table(tmp_path / "set" / "data" / "chunk-000" / "file-000.parquet").to_pydict()
    assert frames["index"] == list(range(75))
    assert frames["frame_index"][48:52] == [48, 49, 0, 1]
    assert set(frames) == set(info["features"])
    rows = parquet.read_table(tmp_path / "set" / "meta" / "episodes" / "chunk-000" / "file-000.parquet").to_pylist()
    assert [(row["dataset_from_index"], row["dataset_to_index"]) for row in rows] == [(0, 50), (50, 75)]


def test_export_rejects_existing_folder(two: list[Episode], tmp_path: Path) -> None:
    with pytest.raises(AgentError) as error:
        export_minari(two, tmp_path, "reachy/nod-v0")
    assert error.value.code is ErrorCode.INVALID_ARGUMENTS
    with pytest.raises(AgentError) as error:
        export_lerobot(two, tmp_path, 25)
    assert error.value.code is ErrorCode.INVALID_ARGUMENTS
    assert list(tmp_path.iterdir()) == []


def test_rejects_export_without_demonstrations(tmp_path: Path) -> None:
    with pytest.raises(AgentError) as error:
        episodes(Demonstrations(tmp_path), [], 25.0)
    assert error.value.code is ErrorCode.NO_DATA
