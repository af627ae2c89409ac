"""Which tool to advise, as a skill that is trained and evaluated like the others."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.paths import state_directory
from reachy_agent_ros.learning.advisor.training import evaluate_advisor, figures, train_advisor
from reachy_agent_ros.learning.correction.policy_store import PolicyStore
from reachy_agent_ros.learning.feedback.store import FeedbackStore


class Advising:
    """Learns from what was logged and judged; plays no episode.

    Args:
        directory: With the policies and the feedback; None for the usual one.
        database: URL of the feedback, where it is elsewhere.
    """

    def __init__(self, directory: Path | None = None, database: str = "") -> None:
        place = directory or state_directory()
        self._database = database or place / "feedback.db"
        self._policies = place / "policies"

    def train(self, seed: int) -> dict[str, Any]:
        """A new version, as a result of `train` has it.

        Raises:
            AgentError: `POLICY_REJECTED`: it is not proven to be better, and there is no new one; what `train_advisor`
                refuses.
        """
        with closing(FeedbackStore(self._database)) as store:
            done = train_advisor(store, PolicyStore(self._policies), seed)
        if not done.better:
            raise AgentError(ErrorCode.POLICY_REJECTED, f"{done.reason} Version {done.record.version} goes on to act.")
        found = figures(done.evaluation)
        rating = found["doubly_robust"]
        return {"version": done.record.version, "deployed": True, "mean_reward": rating, "figures": found}

    def evaluate(self, seed: int) -> dict[str, Any]:
        """What the version that acts is worth, as a result of `evaluate` has it: ratings, with no success and no page.

        Raises:
            AgentError: What `evaluate_advisor` refuses.
        """
        with closing(FeedbackStore(self._database)) as store:
            found = figures(evaluate_advisor(store, PolicyStore(self._policies), seed))
        judged, rating = int(found["judged"]), found["doubly_robust"]
        return {"episodes": judged, "success_rate": 0.0, "mean_reward": rating, "figures": found, "report": ""}
