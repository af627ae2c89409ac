"""Demonstrations as a Minari dataset.

The layout is the one of Minari 0.5, https://minari.farama.org/content/dataset_standards/: `data/main_data.hdf5` with a
group an episode, and `data/metadata.json` with the spaces.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from reachy_agent_ros.learning.demonstrations.episode import Episode, require_new, required
from reachy_agent_ros.robot.envelope import HIGH, LOW
from reachy_agent_ros.storage.storing import storing

_VERSION = "0.5.4"


def export_minari(episodes: list[Episode], folder: Path, dataset: str) -> None:
    """Writes a dataset; `minari.MinariDataset(folder / "data")` opens it.

    Args:
        episodes: What to write.
        folder: Where; must not exist. Below Minari's own root under its name, `minari.load_dataset` finds it.
        dataset: Its name, as "reachy/nod-v0".

    Raises:
        AgentError: `INVALID_ARGUMENTS`: the folder exists; `SERVER_UNAVAILABLE`: h5py is not installed;
            `STORAGE_FAILED`.
    """
    h5py = required("h5py")
    require_new(folder)
    with storing("The dataset cannot be written"):
        data = folder / "data"
        data.mkdir(parents=True)
        with h5py.File(data / "main_data.hdf5", "w") as file:
            for number, episode in enumerate(episodes):
                _write(file.create_group(f"episode_{number}"), number, episode)
        (data / "metadata.json").write_text(json.dumps(_metadata(episodes, dataset)), encoding="utf-8")


def _write(group: Any, number: int, episode: Episode) -> None:
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
    group["rewards"] = last.astype(float)  # what was shown is what was wanted: reached at the end, as sparse tasks say
    group["terminations"] = last
    group["truncations"] = np.zeros(episode.steps, dtype=bool)


def _metadata(episodes: list[Episode], dataset: str) -> dict[str, Any]:
    everything = np.concatenate([episode.observations for episode in episodes])
    space = json.dumps(
        {
            "type": "Box",
            "dtype": "float64",
            "shape": [everything.shape[1]],
            "low": np.minimum(LOW, everything.min(axis=0)).tolist(),  # a hand may have led the body beyond its limits
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
        "minari_version": _VERSION,
        "dataset_size": 0.0,
    }
