"""Where skills are taught and measured: what people showed, the versions made of it, and the runs."""

from __future__ import annotations

from pathlib import Path

from reachy_agent_ros.core.paths import state_directory
from reachy_agent_ros.learning.correction.policy_store import PolicyStore
from reachy_agent_ros.learning.demonstrations.index import Demonstrations
from reachy_agent_ros.learning.imitation.examination import Examination, Performer, Subject, subject_of


class Workspace:
    """One state directory.

    Args:
        directory: None for the usual one.

    Raises:
        AgentError: `STORAGE_FAILED`, here and from every method.

    Attributes:
        policies: All versions.
        runs: Folder of what training and measuring leave to be looked at, by skill.
    """

    def __init__(self, directory: Path | None = None) -> None:
        place = directory or state_directory()
        self._demonstrations = Demonstrations(place / "demonstrations")
        self.policies = PolicyStore(place / "policies")
        self.runs = place / "runs"

    def subject(self, skill: str) -> Subject:
        """What a skill is.

        Raises:
            AgentError: As `subject_of`.
        """
        return subject_of(skill, self._demonstrations)

    def performer(self, examination: Examination, skill: str, version: int) -> Performer:
        """Who a version makes of the robot; 0 is a robot that nobody taught.

        Raises:
            AgentError: `NOT_FOUND`: no such version; `POLICY_REJECTED`: it is of something else.
        """
        if not version:
            return examination.untaught()
        return examination.performer(self.policies.weights(self.policies.inspect(skill, version)))
