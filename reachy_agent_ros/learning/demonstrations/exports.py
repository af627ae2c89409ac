"""Exports demonstrations as datasets for LeRobot and Minari.

The LeRobot export uses layout version 3.0, https://huggingface.co/docs/lerobot/lerobot-dataset-v3: one Parquet file
with the frames of all episodes, and JSON and Parquet files with metadata. Images are not exported.

The Minari export uses the layout of version 0.5, https://minari.farama.org/content/dataset_standards/:
`data/main_data.hdf5` with a group for each episode, and `data/metadata.json` with the spaces.
"""

from __future__ import annotations

import importlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import Vector
from reachy_agent_ros.learning.demonstrations.demonstration import Demonstration
from reachy_agent_ros.learning.demonstrations.index import Demonstrations
from reachy_agent_ros.robot.coordinates import NAMES
from reachy_agent_ros.robot.pose_limits import HIGH, LOW
from reachy_agent_ros.storage.storing import storing

_LEROBOT_PATH = "chunk-{chunk_index:03d}/file-{file_index:03d}.parquet"

_LEROBOT_FILE = _LEROBOT_PATH.format(chunk_index=0, file_index=0)

_STATE, _ACTION = "observation.state", "action"
_COUNTERS = ("frame_index", "episode_index", "index", "task_index")

_MINARI_VERSION = "0.5.4"


@dataclass(frozen=True)
class Episode:
    """Episode of a dataset: a demonstration as observations and actions.

    Attributes:
        demonstration: Description of the demonstration.
        times: Times of the observations, s.
        observations: Nine body coordinates, one row for each time. There is one more observation than there are
            actions.
    """

    demonstration: Demonstration
    times: Vector
    observations: Vector

    @property
    def actions(self) -> Vector:
        """Action for each observation except the last: the nine body coordinates of the next step."""
        return self.observations[1:]

    @property
    def steps(self) -> int:
        """Number of actions in the episode."""
        return len(self.observations) - 1


def episodes(demonstrations: Demonstrations, chosen: list[Demonstration], rate: float) -> list[Episode]:
    """Reads demonstrations as episodes, sampled at the given rate (Hz).

    Raises:
        AgentError: `NO_DATA` if there are none; the errors of `Bag.trajectory`.
    """
    if not chosen:
        raise AgentError(ErrorCode.NO_DATA, "There is no demonstration to export.")
    read = [(one, demonstrations.bag(one).trajectory(rate)) for one in chosen]
    return [Episode(one, trajectory.times, trajectory.values) for one, trajectory in read]


def _require_new(folder: Path) -> None:
    """Checks that a folder does not exist yet.

    Raises:
        AgentError: `INVALID_ARGUMENTS`.
    """
    if folder.exists():
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{folder} already exists. Choose another folder.")


def _required(module: str) -> Any:
    """Imports a module that `scripts/setup --learning` installs.

    Raises:
        AgentError: `SERVER_UNAVAILABLE` if the module is not installed.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        message = f"{module.partition('.')[0]} is not installed. Run scripts/setup --learning."
        raise AgentError(ErrorCode.SERVER_UNAVAILABLE, message) from error


def export_lerobot(episodes: list[Episode], folder: Path, rate: int) -> None:
    """Writes a LeRobot dataset, which `LeRobotDataset(name, root=folder)` opens.

    Args:
        episodes: Episodes to write.
        folder: Target folder; must not exist.
        rate: Rate of the episodes, Hz.

    Raises:
        AgentError: `INVALID_ARGUMENTS` if the folder exists; `SERVER_UNAVAILABLE` if pyarrow is not installed;
            `STORAGE_FAILED`.
    """
    arrow, parquet = _required("pyarrow"), _required("pyarrow.parquet")
    _require_new(folder)
    tasks = sorted({_task(episode) for episode in episodes})
    columns = _columns(episodes, tasks, rate)
    with storing("Cannot write the dataset"):
        for path in (folder / "data" / _LEROBOT_FILE, folder / "meta" / "episodes" / _LEROBOT_FILE):
            path.parent.mkdir(parents=True)
        parquet.write_table(_frames(arrow, columns), folder / "data" / _LEROBOT_FILE)
        parquet.write_table(
            arrow.Table.from_pylist(_lerobot_episodes(episodes)), folder / "meta" / "episodes" / _LEROBOT_FILE
        )
        parquet.write_table(_tasks(arrow, tasks), folder / "meta" / "tasks.parquet")
        stats = {name: _statistics(values) for name, values in columns.items()}
        for name, content in (("info", _lerobot_info(episodes, tasks, rate)), ("stats", stats)):
            (folder / "meta" / f"{name}.json").write_text(json.dumps(content, indent=4), encoding="utf-8")


def export_minari(episodes: list[Episode], folder: Path, dataset: str) -> None:
    """Writes a Minari dataset, which `minari.MinariDataset(folder / "data")` opens.

    Args:
        episodes: Episodes to write.
        folder: Target folder; must not exist. `minari.load_dataset` finds a dataset at its name below Minari's root.
        dataset: Name, for example "reachy/nod-v0".

    Raises:
        AgentError: `INVALID_ARGUMENTS` if the folder exists; `SERVER_UNAVAILABLE` if h5py is not installed;
            `STORAGE_FAILED`.
    """
    h5py = _required("h5py")
    _require_new(folder)
    with storing("Cannot write the dataset"):
        data = folder / "data"
        data.mkdir(parents=True)
        with h5py.File(data / "main_data.hdf5", "w") as file:
            for number, episode in enumerate(episodes):
                _write_minari(file.create_group(f"episode_{number}"), number, episode)
        (data / "metadata.json").write_text(json.dumps(_minari_metadata(episodes, dataset)), encoding="utf-8")


def _task(episode: Episode) -> str:
    return episode.demonstration.prompt or episode.demonstration.skill


def _columns(episodes: list[Episode], tasks: list[str], rate: int) -> dict[str, Vector]:
    steps = [episode.steps for episode in episodes]
    frames = np.concatenate([np.arange(count) for count in steps])
    return {
        _STATE: np.concatenate([episode.observations[:-1] for episode in episodes]).astype(np.float32),
        _ACTION: np.concatenate([episode.actions for episode in episodes]).astype(np.float32),
        "timestamp": (frames / rate).astype(np.float32),
        "frame_index": frames,
        "episode_index": np.repeat(np.arange(len(episodes)), steps),
        "index": np.arange(len(frames)),
        "task_index": np.repeat([tasks.index(_task(episode)) for episode in episodes], steps),
    }


def _frames(arrow: Any, columns: dict[str, Vector]) -> Any:
    arrays = {
        name: arrow.FixedSizeListArray.from_arrays(arrow.array(values.ravel()), len(NAMES))
        if values.ndim == 2
        else arrow.array(values)
        for name, values in columns.items()
    }
    return arrow.table(arrays)


def _lerobot_episodes(episodes: list[Episode]) -> list[dict[str, Any]]:
    ends = np.cumsum([episode.steps for episode in episodes]).tolist()
    return [
        {
            "episode_index": number,
            "tasks": [_task(episode)],
            "length": episode.steps,
            "data/chunk_index": 0,
            "data/file_index": 0,
            "dataset_from_index": end - episode.steps,
            "dataset_to_index": end,
            "meta/episodes/chunk_index": 0,
            "meta/episodes/file_index": 0,
        }
        for number, (episode, end) in enumerate(zip(episodes, ends, strict=True))
    ]


def _tasks(arrow: Any, tasks: list[str]) -> Any:
    """Returns a table whose pandas index contains the task descriptions. LeRobot looks up tasks in this index."""
    index = "__index_level_0__"
    kinds = (("task_index", "task_index", "int64"), (None, index, "unicode"))
    pandas = {
        "index_columns": [index],
        "column_indexes": [],
        "columns": [
            {"name": name, "field_name": field, "pandas_type": kind, "numpy_type": kind, "metadata": None}
            for name, field, kind in kinds
        ],
        "pandas_version": "2.0.0",
    }
    table = arrow.table({"task_index": np.arange(len(tasks)), index: tasks})
    return table.replace_schema_metadata({"pandas": json.dumps(pandas)})


def _statistics(values: Vector) -> dict[str, list[float]]:
    table = values.reshape(len(values), -1).astype(float)
    quantiles = {f"q{share:02d}": np.percentile(table, share, axis=0).tolist() for share in (1, 10, 50, 90, 99)}
    return {
        "min": table.min(axis=0).tolist(),
        "max": table.max(axis=0).tolist(),
        "mean": table.mean(axis=0).tolist(),
        "std": table.std(axis=0).tolist(),
        "count": [len(table)],
        **quantiles,
    }


def _lerobot_info(episodes: list[Episode], tasks: list[str], rate: int) -> dict[str, Any]:
    body = {"dtype": "float32", "shape": [len(NAMES)], "names": list(NAMES)}
    counters = {name: {"dtype": "int64", "shape": [1], "names": None} for name in _COUNTERS}
    return {
        "codebase_version": "v3.0",
        "robot_type": "reachy_mini",
        "total_episodes": len(episodes),
        "total_frames": sum(episode.steps for episode in episodes),
        "total_tasks": len(tasks),
        "chunks_size": 1000,
        "data_files_size_in_mb": 100,
        "video_files_size_in_mb": 200,
        "fps": rate,
        "splits": {"train": f"0:{len(episodes)}"},
        "data_path": f"data/{_LEROBOT_PATH}",
        "video_path": None,
        "features": {
            _STATE: body,
            _ACTION: body,
            "timestamp": {"dtype": "float32", "shape": [1], "names": None},
            **counters,
        },
    }


def _write_minari(group: Any, number: int, episode: Episode) -> None:
    group.attrs.update(
        id=number,
        total_steps=episode.steps,
        skill=episode.demonstration.skill,
        prompt=episode.demonstration.prompt,
        demonstration=episode.demonstration.identifier,
    )
    last = np.arange(episode.steps) == episode.steps - 1
    group["observations"] = episode.observations
    group["actions"] = episode.actions
    group["rewards"] = last.astype(float)  # sparse reward: a demonstration reaches its goal at the end
    group["terminations"] = last
    group["truncations"] = np.zeros(episode.steps, dtype=bool)


def _minari_metadata(episodes: list[Episode], dataset: str) -> dict[str, Any]:
    everything = np.concatenate([episode.observations for episode in episodes])
    space = json.dumps(
        {
            "type": "Box",
            "dtype": "float64",
            "shape": [everything.shape[1]],
            "low": np.minimum(LOW, everything.min(axis=0)).tolist(),  # manual guidance may exceed the limits
            "high": np.maximum(HIGH, everything.max(axis=0)).tolist(),
        }
    )
    return {
        "dataset_id": dataset,
        "total_episodes": len(episodes),
        "total_steps": sum(episode.steps for episode in episodes),
        "data_format": "hdf5",
        "jpeg_encoding": False,
        "observation_space": space,
        "action_space": space,
        "algorithm_name": "demonstration",
        "author": sorted({episode.demonstration.person for episode in episodes} - {""}),
        "minari_version": _MINARI_VERSION,
        "dataset_size": 0.0,
    }
