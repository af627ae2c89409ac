from __future__ import annotations

import json
import re
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from reachy_agent_ros.core.arguments import ToolArguments
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.simulation.virtual_body import KinematicBody
from reachy_agent_ros.tool_generation.broker.run import Equipment
from reachy_agent_ros.tool_generation.generator import IMPORT, ReviewPolicy, Submission, ToolGenerator, needs_review
from reachy_agent_ros.tool_generation.job import Need
from reachy_agent_ros.tool_generation.registry.registry import Registry
from reachy_agent_ros.tool_generation.registry.version import VersionState
from reachy_agent_ros.tool_generation.sandbox import landlock
from reachy_agent_ros.tool_generation.sandbox.backend import SandboxTier
from reachy_agent_ros.tool_generation.verdict import VerificationStage
from reachy_agent_ros.tool_generation.verification.case import Case
from reachy_agent_ros.tools.call import CallOutcome, ToolRequest
from reachy_agent_ros.tools.catalogue import ToolCatalogue
from reachy_agent_ros.tools.runner import ToolRunner
from reachy_agent_ros.tools.tool import Tool, ToolSpecification
from support.tool_generation.registered_tools import program

_DOCS = Path(__file__).parents[2] / "docs"
DOCUMENT = "".join((_DOCS / name).read_text() for name in ("guides/writing_tools.md", "reference/tool_format.md"))

SPEAKING = '''
from reachy_agent import say


def {name}() -> dict:
    """Greets.

    Returns:
        What was said.
    """
    return {{"said": say("Hello.")}}
'''

PROBING = '''
import asyncio
import datetime
import time

from reachy_agent import take_photo


def look_for_signs() -> dict:
    """Looks for signs that nothing here is real.

    Returns:
        Everything by which code could tell a rehearsal from a real run.
    """
    clocks = [time.time, time.monotonic, time.perf_counter, time.sleep, time.localtime, time.strftime]
    moment = datetime.datetime.now()
    began = time.monotonic()
    time.sleep(0.05)
    slept = time.monotonic() - began
    calendar = time.mktime(time.localtime())
    return {
        "clocks": [str(clock) for clock in clocks],
        "calendar": [str(datetime.datetime), type(moment).__name__, repr(moment)],
        "folder": take_photo()["path"],
        "slept": 0.05 <= slept < 2.0,
        "same calendar": abs(time.time() - calendar) < 2.0 and abs(time.time() - moment.timestamp()) < 2.0,
    }
'''

ENDLESS = 'def wait_long() -> dict:\n    """Waits."""\n    while True:\n        pass\n    return {}\n'


class Desk:
    """Tool generator with a registry in a folder.

    The catalog of the agent already contains one tool of another origin.
    """

    def __init__(self, folder: Path, review: ReviewPolicy = ReviewPolicy.ACTING) -> None:
        stop = Tool(ToolSpecification("stop", "Stops.", ToolArguments, 1.0), lambda _arguments, _context: {})
        self.catalogue = ToolCatalogue([stop])
        registry = Registry(folder / "tools", taken=lambda: self.toolsmith.taken())
        self.toolsmith = ToolGenerator(registry, self.catalogue, Equipment(folder), review)

    def listed(self) -> list[tuple[str, int]]:
        specifications = [entry.tool.specification for entry in self.catalogue.entries()]
        return [(one.name, one.version) for one in specifications if one.name != "stop"]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path)
    desk.toolsmith.open()
    if desk.toolsmith.unavailable is not None:
        pytest.skip(desk.toolsmith.unavailable.message)
    yield desk
    desk.toolsmith.close()


def submission(name: str = "double_it", author: str = "model", **more: int) -> Submission:
    case = Case({"number": 2.0}, {"product": 2.0 * more.get("factor", 2)})
    return Submission(program(name, **more).source.encode(), (case,), author, "Double it.", "It doubles.")


def speaking(name: str = "greet_all") -> Submission:
    return Submission(SPEAKING.format(name=name).encode())


def called(desk: Desk, name: str, arguments: dict[str, float]) -> dict[str, Any]:
    """Returns the result of a live run with a stationary robot."""
    runner, ended = ToolRunner(desk.catalogue, KinematicBody()), Future[CallOutcome]()
    runner.start(ToolRequest(name, json.dumps(arguments)), ended.set_result)
    result: dict[str, Any] = json.loads(ended.result(60.0).result_json)
    runner.close()
    return result


def refusal(desk: Desk) -> AgentError:
    with pytest.raises(AgentError) as caught:
        desk.toolsmith.submit(submission())
    return caught.value


def test_generator_only_validates_until_sandbox_is_verified(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    assert refusal(desk).code is ErrorCode.SANDBOX_UNAVAILABLE
    assert "being verified" in refusal(desk).message
    assert desk.toolsmith.sandbox is None
    assert desk.toolsmith.refresh() == []
    assert [one.stage for one in desk.toolsmith.validate(program().source.encode())] == [
        VerificationStage.TEXT,
        VerificationStage.SYNTAX,
    ]
    assert desk.toolsmith.registry.list() == []


def test_generator_reports_why_no_sandbox_is_available(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(landlock, "version", lambda: 0)
    monkeypatch.setenv("PATH", "/nowhere")
    desk = Desk(tmp_path)
    desk.toolsmith.open()
    assert refusal(desk).code is ErrorCode.SANDBOX_UNAVAILABLE
    assert "apt install bubblewrap" in refusal(desk).message
    assert desk.toolsmith.unavailable is not None
    assert all(one.ok for one in desk.toolsmith.validate(program().source.encode()))
    desk.toolsmith.close()


def test_closed_generator_starts_no_tool_run(desk: Desk) -> None:
    desk.toolsmith.close()
    desk.toolsmith.open()
    assert desk.toolsmith.sandbox is None
    assert refusal(desk).code is ErrorCode.SHUTTING_DOWN
    assert desk.toolsmith.refresh() == []


@pytest.mark.slow
def test_tool_that_passes_verification_is_registered_and_added_to_catalog(desk: Desk) -> None:
    made = desk.toolsmith.submit(submission())
    assert (made.name, made.version, made.waiting) == ("double_it", 1, False)
    assert made.require() == "Version 1 of double_it is registered."
    assert desk.listed() == [("double_it", 1)]
    (version,) = desk.toolsmith.registry.get("double_it").versions
    assert [one.stage for one in version.record.verdicts] == ["text", "syntax", "sandbox", "trial"]
    assert (version.record.author, version.record.request) == ("model", "Double it.")
    assert version.record.explanation == "It doubles."
    assert desk.toolsmith.submit(submission(factor=3)).version == 2
    assert desk.listed() == [("double_it", 2)]


@pytest.mark.slow
def test_tool_with_effects_is_in_catalog_only_after_approval(desk: Desk) -> None:
    made = desk.toolsmith.submit(speaking())
    assert (made.version, made.waiting) == (1, True)
    assert made.require() == "Version 1 of greet_all waits for a person's review."
    assert desk.toolsmith.waiting() == ["greet_all"]
    assert desk.listed() == []
    desk.toolsmith.registry.approve("greet_all", 1)
    desk.toolsmith.refresh()
    assert desk.toolsmith.waiting() == []
    assert desk.listed() == [("greet_all", 1)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "arguments", "found"),
    [
        ("periodic_photo_capture", {"interval_s": 0.5, "duration_s": 1.0}, {"count": 2}),
        ("monitor_scene_changes", {"interval_s": 0.5, "duration_s": 1.0}, {"looks": 2}),
    ],
)
def test_documented_example_tools_can_be_registered_and_run(
    desk: Desk, name: str, arguments: dict[str, float], found: dict[str, int]
) -> None:
    source = next(one for one in re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL) if name in one)
    made = desk.toolsmith.submit(Submission(source.encode(), (Case(arguments, found),)))
    assert (made.name, made.version) == (name, 1), made.proof.verdicts
    if made.waiting:
        desk.toolsmith.registry.approve(name, 1)
        desk.toolsmith.refresh()
    result = called(desk, name, arguments)
    assert {key: result[key] for key in found} == found


@pytest.mark.slow
def test_imported_tool_always_requires_review(desk: Desk) -> None:
    assert desk.toolsmith.submit(submission(author=IMPORT)).waiting
    assert desk.listed() == []


def test_failed_tool_submission_leaves_no_files(desk: Desk) -> None:
    wrong = Submission(program().source.encode(), (Case({"number": 2.0}, {"product": 5.0}),))
    made = desk.toolsmith.submit(wrong)
    assert (made.name, made.version) == ("double_it", 0)
    with pytest.raises(AgentError, match=r"expected 5\.0, got 4\.0") as caught:
        made.require()
    assert caught.value.code is ErrorCode.VALIDATION_FAILED
    unreadable = desk.toolsmith.submit(Submission(b"import os\n"))
    assert (unreadable.name, unreadable.version) == ("", 0)
    with pytest.raises(AgentError, match="line 1: os"):
        unreadable.require()
    assert desk.toolsmith.registry.list() == []


@pytest.mark.slow
def test_generator_rejects_names_of_existing_tools(desk: Desk) -> None:
    made = desk.toolsmith.submit(Submission(program("stop").source.encode()))
    assert not made.version
    assert "stop" in made.proof.verdicts[-1].reason
    assert desk.toolsmith.taken() == ["stop"]
    desk.toolsmith.submit(submission())
    assert desk.toolsmith.taken() == ["stop"]


@pytest.mark.slow
def test_refresh_applies_registry_changes_of_another_process(desk: Desk, tmp_path: Path) -> None:
    desk.toolsmith.submit(submission())
    other = Registry(tmp_path / "tools")
    other.set_enabled("double_it", False, "It is too loud.")
    assert desk.toolsmith.refresh() == []
    with pytest.raises(AgentError) as caught:
        desk.catalogue.find("double_it")
    assert caught.value.code is ErrorCode.TOOL_DISABLED
    assert {name: why.reason for name, why in desk.toolsmith.disabled().items()} == {"double_it": "It is too loud."}
    other.delete("double_it")
    desk.toolsmith.refresh()
    assert desk.listed() == []
    assert desk.toolsmith.disabled() == {}


@pytest.mark.slow
def test_verification_without_submission_does_not_register_tool(desk: Desk) -> None:
    assert desk.toolsmith.prove(program().source.encode(), [Case({"number": 2.0}, {"product": 4.0})]).ok
    assert desk.toolsmith.registry.list() == []


def test_canceled_tool_submission_is_not_registered(desk: Desk) -> None:
    cancel = CancelToken()
    cancel.cancel()
    for asked in (submission(), Submission(ENDLESS.encode())):
        with pytest.raises(AgentError) as caught:
            desk.toolsmith.submit(asked, cancel)
        assert caught.value.code is ErrorCode.CANCELED
    assert desk.toolsmith.registry.list() == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("review", "state"), [(ReviewPolicy.NEVER, VersionState.APPROVED), (ReviewPolicy.ALWAYS, VersionState.WAITING)]
)
def test_review_policy_selects_tools_to_review(tmp_path: Path, review: ReviewPolicy, state: VersionState) -> None:
    desk = Desk(tmp_path, review)
    desk.toolsmith.open()
    if desk.toolsmith.unavailable is not None:
        pytest.skip(desk.toolsmith.unavailable.message)
    desk.toolsmith.submit(speaking())
    desk.toolsmith.submit(submission())
    assert [one.versions[0].state for one in desk.toolsmith.registry.list()] == [state, state]
    desk.toolsmith.close()


@pytest.mark.slow
def test_tool_cannot_distinguish_dry_run_from_live_run(desk: Desk) -> None:
    made = desk.toolsmith.submit(Submission(PROBING.encode()))
    live = called(desk, "look_for_signs", {})
    rehearsed = made.proof.cases[0].result
    assert _without_numbers(rehearsed) == _without_numbers(live)
    assert live["slept"]
    assert live["same calendar"]


def _without_numbers(result: Any) -> str:
    return re.sub(r"0x[0-9a-f]+|\d+", "N", json.dumps(result))


@pytest.mark.parametrize("need", [Need.BODY, Need.VOICE, Need.WEB])
def test_tool_with_effects_requires_review(need: Need) -> None:
    acting = program(needs=frozenset({need, Need.EYES}))
    assert needs_review(acting, ReviewPolicy.ACTING, SandboxTier.NAMESPACES)
    assert not needs_review(acting, ReviewPolicy.NEVER, SandboxTier.NAMESPACES)


@pytest.mark.parametrize("needs", [frozenset(), frozenset({Need.EYES})])
def test_tool_without_effects_requires_no_review(needs: frozenset[Need]) -> None:
    assert not needs_review(program(needs=needs), ReviewPolicy.ACTING, SandboxTier.NAMESPACES)


@pytest.mark.parametrize("tier", SandboxTier)
def test_review_policy_always_applies_to_every_tool(tier: SandboxTier) -> None:
    assert needs_review(program(), ReviewPolicy.ALWAYS, tier)


@pytest.mark.parametrize("review", ReviewPolicy)
def test_landlock_sandbox_requires_review_of_every_tool(review: ReviewPolicy) -> None:
    assert needs_review(program(), review, SandboxTier.LANDLOCK)
