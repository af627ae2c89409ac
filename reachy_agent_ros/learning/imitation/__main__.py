"""Trains or evaluates a skill in a separate process, which reports its progress as JSON lines.

Prints `{"episode", "of", "mean_reward", "figures"}` for every round or episode, and at the end `{"done": {...}}` or
`{"error": {"code", "message"}}`. SIGINT and SIGTERM end the process between two rounds or episodes; the checkpoint is
kept.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.paths import state_directory
from reachy_agent_ros.learning.action_record import TOOL_CHOICE
from reachy_agent_ros.learning.advisor.training import evaluate_advisor, figures, train_advisor
from reachy_agent_ros.learning.correction.policy_store import PolicyStore
from reachy_agent_ros.learning.feedback.store import FeedbackStore

_DIE_WITH_PARENT = 1
"""PR_SET_PDEATHSIG of prctl(2)."""


def main() -> int:
    """Trains or evaluates a skill. Returns 0 on success, 1 after an error."""
    arguments = _parser().parse_args()
    ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    try:
        _tell({"done": arguments.run(arguments, stop)})
    except AgentError as error:
        _tell({"error": {"code": int(error.code), "message": error.message}})
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m reachy_agent_ros.learning.imitation", description=__doc__)
    choices = parser.add_subparsers(required=True)
    for name, function in (("train", _train), ("evaluate", _evaluate)):
        choice = choices.add_parser(name)
        choice.add_argument("skill")
        choice.add_argument("--directory", type=Path, help="state directory (default: that of the robot)")
        choice.add_argument("--database", default="", help="URL of the feedback database (default: feedback.db there)")
        choice.add_argument("--episodes", type=int, default=0, help="number of episodes; 0: the default")
        choice.add_argument("--seed", type=int, default=0)
        choice.set_defaults(run=function)
    choices.choices["train"].add_argument("--algorithm", default="", help="algorithm; empty: the default")
    choices.choices["evaluate"].add_argument("--version", type=int, default=0, help="version; 0: the active one")
    return parser


def _train(arguments: argparse.Namespace, stop: threading.Event) -> dict[str, Any]:
    if arguments.skill == TOOL_CHOICE:
        return _train_advisor(arguments)
    with _installed():
        from reachy_agent_ros.learning.imitation.teaching import USUAL, USUAL_EPISODES, Teaching
        from reachy_agent_ros.learning.training.configuration import Algorithm
        from reachy_agent_ros.learning.training.run import TrainingRound

    if arguments.algorithm not in ("", *Algorithm):
        message = f"Unknown algorithm {arguments.algorithm!r:.40}: expected {', '.join(Algorithm)}."
        raise AgentError(ErrorCode.INVALID_GOAL, message)
    reward = 0.0

    def told(progress: TrainingRound) -> None:
        nonlocal reward
        reward = progress.figures.get("mean_reward", reward)
        _tell(_round(progress.episodes, progress.of, reward, dict(progress.figures)))

    algorithm = Algorithm(arguments.algorithm or USUAL)
    episodes = arguments.episodes or USUAL_EPISODES
    made = Teaching(arguments.directory).train(
        arguments.skill, algorithm, episodes, arguments.seed, [told], stop.is_set
    )
    return {
        "version": made.record.version,
        "deployed": made.deployed,
        "mean_reward": made.record.figures["reward"],
        "figures": dict(made.record.figures),
        "folder": str(made.folder),
    }


def _evaluate(arguments: argparse.Namespace, stop: threading.Event) -> dict[str, Any]:
    if arguments.skill == TOOL_CHOICE:
        return _evaluate_advisor(arguments)
    with _installed():
        from reachy_agent_ros.learning.imitation.examination import EPISODES
        from reachy_agent_ros.learning.imitation.measuring import Measuring

    def told(number: int, of: int, reward: float) -> None:
        if stop.is_set():
            raise AgentError(ErrorCode.CANCELED, f"Canceled after {number} of {of} episodes of {arguments.skill}.")
        _tell(_round(number, of, reward, {}))

    episodes = arguments.episodes or EPISODES
    made = Measuring(arguments.directory).evaluate(arguments.skill, arguments.version, episodes, arguments.seed, told)
    return {
        "episodes": made.episodes,
        "success_rate": made.figures["success"],
        "mean_reward": made.figures["reward"],
        "figures": dict(made.figures),
        "report": str(made.report),
    }


def _train_advisor(arguments: argparse.Namespace) -> dict[str, Any]:
    """Trains the tool advisor with its logged suggestions, without episodes.

    Raises:
        AgentError: `POLICY_REJECTED` if the learned policy is not shown to be better and therefore not saved; the
            errors of `train_advisor`.
    """
    with _advisor_stores(arguments) as (feedback, policies):
        done = train_advisor(feedback, policies, arguments.seed)
    if not done.better:
        raise AgentError(ErrorCode.POLICY_REJECTED, f"{done.reason} Version {done.record.version} stays active.")
    found = figures(done.evaluation)
    rating = found["doubly_robust"]
    return {"version": done.record.version, "deployed": True, "mean_reward": rating, "figures": found}


def _evaluate_advisor(arguments: argparse.Namespace) -> dict[str, Any]:
    """Evaluates the active version of the tool advisor with logged ratings.

    This evaluation has no success rate and no report.

    Raises:
        AgentError: Same as for `evaluate_advisor`.
    """
    with _advisor_stores(arguments) as (feedback, policies):
        found = figures(evaluate_advisor(feedback, policies, arguments.seed))
    judged, rating = int(found["judged"]), found["doubly_robust"]
    return {"episodes": judged, "success_rate": 0.0, "mean_reward": rating, "figures": found, "report": ""}


@contextmanager
def _advisor_stores(arguments: argparse.Namespace) -> Iterator[tuple[FeedbackStore, PolicyStore]]:
    """Opens the feedback database and the policy store in the state directory."""
    place = arguments.directory or state_directory()
    with closing(FeedbackStore(arguments.database or place / "feedback.db")) as feedback:
        yield feedback, PolicyStore(place / "policies")


@contextmanager
def _installed() -> Iterator[None]:
    """Reports a missing package if the `with` block fails to import PyTorch or a related package."""
    try:
        yield
    except ModuleNotFoundError as error:
        message = f"{error.name} is not installed. Run scripts/setup --learning."
        raise AgentError(ErrorCode.SERVER_UNAVAILABLE, message) from None


def _round(episode: int, of: int, mean_reward: float, figures: dict[str, float]) -> dict[str, Any]:
    return {"episode": episode, "of": of, "mean_reward": mean_reward, "figures": figures}


def _tell(line: dict[str, Any]) -> None:
    print(json.dumps(line), flush=True)


if __name__ == "__main__":
    sys.exit(main())
