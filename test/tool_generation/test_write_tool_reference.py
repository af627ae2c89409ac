"""Comparison of the reference for tool authors with the implementation."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import pytest

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.pose import BodyPose, head_transform
from reachy_agent_ros.motion.dance import dances
from reachy_agent_ros.motion.emotion import emotions
from reachy_agent_ros.motion.gesture import gestures
from reachy_agent_ros.robot.target_validation import Target, TargetValidator
from reachy_agent_ros.simulation.virtual_body import KinematicBody
from reachy_agent_ros.tool_generation.broker import run
from reachy_agent_ros.tool_generation.broker.broker import Broker
from reachy_agent_ros.tool_generation.broker.run import Equipment
from reachy_agent_ros.tool_generation.guest import reachy_agent
from reachy_agent_ros.tool_generation.guest.reachy_mini import ReachyMini
from reachy_agent_ros.tool_generation.guest.stand_ins import public
from reachy_agent_ros.tool_generation.verification.case import Case, read_cases
from reachy_agent_ros.tool_generation.verification.dry_run import difference
from reachy_agent_ros.tool_generation.write_tool import examples, reference
from reachy_agent_ros.tools.context import ToolContext
from support.tool_generation.plain_worker import run_tool
from support.tool_generation.validation_sources import validate

DOCS = Path(__file__).parents[2] / "docs"
FORMAT = (DOCS / "reference" / "tool_format.md").read_text(encoding="utf-8")
DOCUMENT = (DOCS / "guides" / "writing_tools.md").read_text(encoding="utf-8") + FORMAT


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def test_documentation_contains_reference_text_for_models() -> None:
    assert reference().strip() in FORMAT
    assert examples().strip() in FORMAT


def test_reference_lists_every_guest_function() -> None:
    for name in (*public(ReachyMini), *reachy_agent.__all__, "create_head_pose"):
        assert re.search(rf"\b{name}\b", reference()), name


def test_reference_states_actual_limits() -> None:
    for count, what in (
        (run.SAYS, "`say`"),
        (run.PHOTOS, "photos"),
        (run.FETCHES, "pages"),
        (run.QUESTIONS, "scene questions"),
        (run.LOOKS, "detections"),
        (int(run.STREAM_RATE), "`set_target` a second"),
    ):
        assert f"{count} {what}" in reference()
    assert f"at most {run.LONGEST_SPEECH} characters" in reference()


def test_reference_states_largest_head_angles_without_clamping() -> None:
    text = re.search(r"roll (-\d+) to (\d+) degrees, pitch (-\d+) \(up\) to (\d+) \(down\)", reference())
    assert text is not None
    for axis, degrees in zip(("roll", "roll", "pitch", "pitch"), map(int, text.groups()), strict=True):
        beyond = degrees + (1 if degrees > 0 else -1)
        assert clamped(axis, degrees) == []
        assert clamped(axis, beyond) == [f"head.{axis}"]


def clamped(axis: str, degrees: float) -> list[str]:
    head = head_transform(**{axis: math.radians(degrees)})
    return [finding.field for finding in TargetValidator().admit(Target(head), BodyPose()).findings]


@pytest.mark.parametrize(
    ("call", "names"), [("express_emotion", emotions()), ("dance", dances()), ("gesture", gestures())]
)
def test_every_move_listed_in_reference_exists(call: str, names: tuple[str, ...]) -> None:
    (listed,) = re.findall(rf"`{call}\(.*?\)` \| (.*?) \|", reference())
    assert set(listed.removesuffix(", ...").split(", ")) <= set(names)


def tools() -> list[Any]:
    sources = [block for block in blocks(DOCUMENT, "python") if "def " in block]
    cases = [read_cases(block) for block in blocks(DOCUMENT, "json")]
    return [pytest.param(source, case) for source, several in zip(sources, cases, strict=True) for case in several]


@pytest.mark.parametrize(("source", "case"), tools())
def test_documented_example_tools_pass_their_test_cases(tmp_path: Path, source: str, case: Case) -> None:
    program = validate(source)
    body = KinematicBody()
    body.reset()
    context = ToolContext(body, Deadline(30.0), lambda _progress: None, CancelToken())
    equipment = Equipment(tmp_path, time=body, time_limit=program.limits.time)
    broker = Broker(body, context, equipment, program.needs)
    end = run_tool(source, broker.answer, case.arguments, program.name)
    broker.close()
    body.close()
    if case.raises is not None:
        assert end["failed"]["type"] == case.raises
    else:
        assert difference(case.expect, end["result"]) is None, json.dumps(end)
    assert broker.record.violations == []
