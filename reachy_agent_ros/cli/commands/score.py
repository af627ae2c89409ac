"""Prints the predicted reward of sentences, without applying it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reachy_agent_ros.agent.terminal_text import truncated
from reachy_agent_ros.cli.arguments import add_options, sentences
from reachy_agent_ros.cli.groups import Group
from reachy_agent_ros.cli.output import show

if TYPE_CHECKING:
    from reachy_agent_ros.learning.score import Score

GROUP = Group.FILES

HELP = "show the predicted reward of a sentence, without applying it"

EXAMPLES = (
    'reachy-agent score "good, but a bit slow"',
    "reachy-agent score --json --file sentences.txt",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments for the sentences and the output format."""
    parser.add_argument("text", nargs="*", help="sentences, one per argument")
    parser.add_argument("--file", type=Path, metavar="F", help="file with one sentence per line; - for standard input")
    parser.add_argument("--act", default="", metavar="SKILL", help="skill or tool that the sentences are about")
    add_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Prints the predicted reward of each sentence, one per line.

    Raises:
        UnreadableFileError: The file cannot be read.
        AgentError: `INVALID_ARGUMENTS`: there is no sentence; `MODEL_UNAVAILABLE`.
    """
    from reachy_agent_ros.core.embedding import SentenceEmbedder
    from reachy_agent_ros.learning.reward.reward_model import RewardModel

    texts = sentences(arguments.text, arguments.file)
    model = RewardModel(SentenceEmbedder())
    for text in texts:
        score = model.score(text, arguments.act)
        show(_line(text, score), _words(text, score), arguments.json)
    return 0


def _line(text: str, score: Score) -> dict[str, Any]:
    return {
        "text": text,
        "sign": int(score.sign),
        "rating": round(score.rating, 3),
        "confidence": round(score.confidence, 3),
        "axes": [axis.value for axis in score.axes],
        "stop": score.stop,
    }


def _words(text: str, score: Score) -> str:
    axes = f", wants {', '.join(axis.value for axis in score.axes)}" if score.axes else ""
    stop = ", stops" if score.stop else ""
    return (
        f"{score.rating:+.2f} {score.sign.name.lower():8} {score.confidence:4.0%} {truncated(text, 80)!r}{axes}{stop}"
    )
