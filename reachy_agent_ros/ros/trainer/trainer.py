"""Node `trainer`: records demonstrations, trains and evaluates policies, and manages their versions."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from diagnostic_msgs.msg import DiagnosticStatus
from reachy_agent_msgs.msg import Heartbeat

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.learning.correction.policy_store import PolicyStore
from reachy_agent_ros.learning.demonstrations.index import Demonstrations
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode, run
from reachy_agent_ros.ros.trainer.corrections import Corrections
from reachy_agent_ros.ros.trainer.motor_guidance import MotorGuidance
from reachy_agent_ros.ros.trainer.recordings import Recordings
from reachy_agent_ros.ros.trainer.training_actions import TrainingActions
from reachy_agent_ros.ros.trainer.training_board import TrainingBoard


class Trainer(AgentNode):
    """Node that serves demonstrations, training, evaluation and policies.

    Raises:
        AgentError: `STORAGE_FAILED` if the state directory cannot be used.
    """

    def __init__(self) -> None:
        super().__init__(names.TRAINER)
        directory = self.folder("directory")
        database = self.parameter("database")
        self._store = PolicyStore(directory / "policies")
        self._board = TrainingBoard(self, self._version)
        guidance = MotorGuidance(self, directory / "motors_are_free")
        demonstrations = Demonstrations(directory / "demonstrations")
        self._corrections = Corrections(self, directory, database)
        self._recordings = Recordings(self, demonstrations, guidance, self._board)
        self._trainings = TrainingActions(self, directory, database, self._board)
        self.state = Heartbeat.READY

    def diagnose(self) -> Iterable[DiagnosticStatus]:
        """Yields the diagnostics of the current tasks."""
        doing = [f"{one.skill}: {one.detail or f'{one.episode} of {one.episodes}'}" for one in self._board.doing]
        yield self.status("training", DiagnosticStatus.OK, ", ".join(doing) or "idle")

    def close(self) -> None:
        """Ends the current tasks, and keeps recordings and checkpoints."""
        self._recordings.close()
        self._trainings.close()
        self._corrections.close()

    def _version(self, skill: str) -> str:
        """Returns the active version of a skill's policy, or "" if there is no readable version."""
        try:
            return str(self._store.standing(skill).active or "")
        except AgentError:
            return ""


def main() -> int:
    """Runs the node."""
    return run(Trainer)


if __name__ == "__main__":
    sys.exit(main())
