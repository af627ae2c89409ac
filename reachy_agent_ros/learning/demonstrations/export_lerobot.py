"""Demonstrations as a LeRobot dataset.

The layout is version 3.0, https://huggingface.co/docs/lerobot/lerobot-dataset-v3: frames of all episodes in one Parquet
file, and files of JSON and Parquet that describe them. Images stay in the bags.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from reachy_agent_ros.core.pose import Vector
from reachy_agent_ros.learning.demonstrations.episode import Episode, require_new, required
from reachy_agent_ros.robot.coordinates import NAMES
from reachy_agent_ros.storage.storing import storing

_PATH = "chunk-{chunk_index:03d}/file-{file_index:03d}.parquet"
_FILE = _PATH.format(chunk_index=0, file_index=0)
_STATE, _ACTION = "observation.state", "action"
_COUNTERS = ("frame_index", "episode_index", "index", "task_index")


def export_lerobot(episodes: list[Episode], folder: Path, rate: int) -> None:
    """Writes a dataset; `LeRobotDataset(name, root=folder)` opens it.

    Args:
        episodes: What to write.
        folder: Where; must not exist.
        rate: Of the episodes, Hz.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: the folder exists; `SERVER_UNAVAILABLE`: pyarrow is not installed;
            `STORAGE_FAILED`.
    """
    arrow, parquet = required("pyarrow"), required("pyarrow.parquet")
    require_new(folder)
    tasks = sorted({_task(episode) for episode in episodes})
    columns = _columns(episodes, tasks, rate)
    with storing("The dataset cannot be written"):
        for path in (folder / "data" / _FILE, folder / "meta" / "episodes" / _FILE):
            path.parent.mkdir(parents=True)
        parquet.write_table(_frames(arrow, columns), folder / "data" / _FILE)
        parquet.write_table(arrow.Table.from_pylist(_episodes(episodes)), folder / "meta" / "episodes" / _FILE)
        parquet.write_table(_tasks(arrow, tasks), folder / "meta" / "tasks.parquet")
        stats = {name: _statistics(values) for name, values in columns.items()}
        for name, content in (("info", _info(episodes, tasks, rate)), ("stats", stats)):
            (folder / "meta" / f"{name}.json").write_text(json.dumps(content, indent=4), encoding="utf-8")


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


def _episodes(episodes: list[Episode]) -> list[dict[str, Any]]:
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
    """A table whose index, for pandas, are the tasks' words: LeRobot looks them up by it."""
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


def _info(episodes: list[Episode], tasks: list[str], rate: int) -> dict[str, Any]:
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
        "data_path": f"data/{_PATH}",
        "video_path": None,
        "features": {
            _STATE: body,
            _ACTION: body,
            "timestamp": {"dtype": "float32", "shape": [1], "names": None},
            **counters,
        },
    }
