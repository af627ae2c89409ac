"""Journal of an update, which records the running step, so that another process can finish or undo the update."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path

from reachy_agent_ros.core.durable_file import write_durably
from reachy_agent_ros.core.errors import AgentError, ErrorCode

_NAME = "journal.json"


class Step(StrEnum):
    """Steps of an update, in order. Every step can be repeated after an interruption at any point."""

    STOP = "stop"
    """Stops a graph, if there is one."""
    BACKUP = "backup"
    CODE = "code"
    SETUP = "setup"
    CHECK = "check"
    ROLLBACK = "rollback"
    """Takes the place of the next step after a failure."""
    START = "start"
    """Starts that graph with the new version or, after a rollback, with the old one."""


@dataclass(frozen=True)
class StoppedGraph:
    """Graph that an update stops and starts again afterwards.

    Attributes:
        namespace: ROS namespace.
        words: Arguments of `reachy-agent up`.
        folder: Working directory, to which paths in the arguments may be relative.
        variables: Environment variables of the graph's settings and ROS domain.
    """

    namespace: str
    words: list[str]
    folder: str
    variables: dict[str, str]


@dataclass(frozen=True)
class Journal:
    """State of an unfinished update.

    Attributes:
        root: Folder of the checkout.
        old: Commit before the update.
        new: Commit after the update.
        name: Name of the new version, such as a tag.
        state: State directory.
        backup: Backup of the state from before the update.
        step: Step that is running or was interrupted.
        state_used: Whether the new version may have changed the state.
        failure: Reason why the update is being rolled back; empty if it is not.
        graph: Graph that is stopped during the update; None if there is none.
        rolled_back: Whether the old version has been restored, so that only the graph remains to be started.
    """

    root: str
    old: str
    new: str
    name: str
    state: str
    backup: str
    step: Step = Step.STOP
    state_used: bool = False
    failure: str = ""
    graph: StoppedGraph | None = None
    rolled_back: bool = False

    def save(self, folder: Path) -> None:
        """Writes the journal atomically, and waits until it is on disk.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        try:
            write_durably(folder / _NAME, json.dumps(asdict(self), indent=1))
        except OSError as error:
            raise AgentError(ErrorCode.STORAGE_FAILED, f"Cannot write to {folder}: {error.strerror}.") from error


def load(folder: Path) -> Journal | None:
    """Loads the journal of an interrupted update. Returns None if no update was interrupted.

    Raises:
        AgentError: `STORAGE_FAILED`: the journal cannot be read, is damaged or is from another version of this program.
    """
    path = folder / _NAME
    try:
        stored = json.loads(path.read_text("utf-8"))
        graph = StoppedGraph(**stored["graph"]) if stored.get("graph") else None
        return Journal(**{**stored, "step": Step(stored["step"]), "graph": graph})
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError) as error:
        message = f"{path} cannot be read: {error}. With Python, run the update.pyz next to it, which wrote it."
        raise AgentError(ErrorCode.STORAGE_FAILED, message) from error


def remove(folder: Path) -> None:
    """Removes the journal at the end of an update."""
    (folder / _NAME).unlink(missing_ok=True)
