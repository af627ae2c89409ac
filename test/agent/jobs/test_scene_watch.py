import asyncio
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.jobs import scene_watch as module
from reachy_agent_ros.agent.jobs.job import Job, JobState, Progress
from reachy_agent_ros.agent.jobs.scene_watch import WATCH, KnownScene, Look, SceneWatch, confirmation
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.nlu.templates.languages import language_codes
from reachy_agent_ros.simulation.mujoco_body import MujocoBody
from reachy_agent_ros.testing.simulated_world import SimulatedWorld
from reachy_agent_ros.tools.protocol.tools import ToolCall, ToolDescription, ToolOutcome

COUNTS = st.dictionaries(st.sampled_from(["duck", "apple"]), st.integers(1, 3))
AHEAD, ASIDE = (0.0, 10.0, 0.0, 0.0), (0.0, 10.0, 40.0, 0.0)


def came(*looks: Look) -> list[list[str]]:
    """Returns what has come at each look."""
    scene, found = KnownScene(), []
    for look in looks:
        scene, labels = scene.after(look)
        found.append(labels)
    return found


def look(view: tuple[float, ...] = AHEAD, **things: int) -> Look:
    return Look(view, things)


def test_thing_has_come_when_two_looks_agree() -> None:
    assert came(look(apple=1), look(apple=1, duck=1), look(apple=1, duck=1)) == [[], [], ["duck"]]


def test_second_thing_of_a_kind_has_come() -> None:
    assert came(look(duck=1), look(duck=2), look(duck=2), look(duck=2)) == [[], [], ["duck"], []]


def test_thing_that_leaves_and_returns_has_come() -> None:
    looks = [look(duck=1), look(), look(), look(duck=1), look(duck=1)]
    assert came(*looks) == [[], [], [], [], ["duck"]]


def test_things_of_another_view_have_not_come() -> None:
    looks = [look(), look(ASIDE, duck=1), look(ASIDE, duck=1), look(), look()]
    assert came(*looks) == [[]] * 5


def test_breathing_does_not_change_the_view() -> None:
    looks = [look((0.0, 10.0 + sway, 0.0, 0.0), **({"duck": 1} if sway else {})) for sway in (0.0, 1.0, 2.0)]
    assert came(*looks)[-1] == ["duck"]


@given(st.lists(COUNTS, max_size=8), COUNTS)
def test_thing_at_a_single_look_never_comes(seen: list[Mapping[str, int]], flicker: Mapping[str, int]) -> None:
    """A detection at one look, between two looks without it, is an error of the detector."""
    for steady in seen:
        looks = [Look(AHEAD, things) for things in (steady, steady, {**steady, **flicker}, steady, steady)]
        assert came(*looks) == [[]] * 5


@given(st.lists(st.tuples(st.booleans(), COUNTS), max_size=12))
def test_scene_survives_its_checkpoint(looks: list[tuple[bool, Mapping[str, int]]]) -> None:
    scene = stored = KnownScene()
    for is_ahead, things in looks:
        one = Look(list(AHEAD if is_ahead else ASIDE), things)
        scene, found = scene.after(one)
        stored, same = KnownScene(**json.loads(json.dumps(vars(stored)))).after(one)
        assert (found, scene) == (same, stored)


@dataclass
class Watched:
    """Robot whose camera sees some things, one state at each look. The last state stays.

    Attributes:
        looks: Things at each look, or the error of the look.
        called: Called tools.
        absent: Number of looks before the tools are listed.
    """

    looks: list[list[str] | AgentError]
    called: list[ToolCall] = field(default_factory=list)
    absent: int = 0

    def catalogue(self) -> tuple[ToolDescription, ...]:
        self.absent -= 1
        names = () if self.absent >= 0 else ("get_robot_state", "detect_objects")
        return tuple(ToolDescription(name, "Looks.", {}, 5.0) for name in names)

    async def call(self, call: ToolCall) -> ToolOutcome:
        self.called.append(call)
        if call.tool == "get_robot_state":
            head = {"roll_deg": 0.0, "pitch_deg": 0.0, "yaw_deg": 0.0}
            return ToolOutcome(json.dumps({"head": head, "body_yaw_deg": 0.0}))
        seen = self.looks.pop(0) if len(self.looks) > 1 else self.looks[0]
        if isinstance(seen, AgentError):
            return ToolOutcome("{}", seen)
        return ToolOutcome(json.dumps({"objects": [{"name": name} for name in seen]}))


def job(name: str = "", duration_s: float = 60.0, **facts: Any) -> Job:
    return Job(WATCH, {"name": name, "duration_s": duration_s}, "en", **facts)


async def allowed(_job: Job) -> None: ...


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PERIOD", 0.0)


def watched(robot: Watched, one: Job, noted: list[Progress] | None = None) -> Mapping[str, Any]:
    async def report(progress: Progress) -> None:
        if noted is not None:
            noted.append(progress)

    return asyncio.run(SceneWatch(robot, allowed).run(one, report))


def test_returns_what_has_come() -> None:
    assert watched(Watched([["apple"], ["apple", "duck"]]), job()) == {"came": ["duck"]}


def test_waits_for_the_named_thing() -> None:
    robot = Watched([[], ["apple"], ["apple"], ["apple"], ["duck"]])
    assert watched(robot, job("duck")) == {"came": ["duck"]}
    assert watched(Watched([[], ["face"]]), job("person")) == {"came": ["face"]}


def test_ends_without_result_after_its_duration() -> None:
    assert watched(Watched([["duck"]]), job(duration_s=0.01)) == {"came": []}


def test_earlier_run_time_counts() -> None:
    robot = Watched([["duck"]])
    assert watched(robot, job(duration_s=60.0, ran=60.0)) == {"came": []}
    assert robot.called == []


def test_reports_what_it_sees_with_progress() -> None:
    noted: list[Progress] = []
    watched(Watched([[], ["apple", "apple", "duck"], []]), job(duration_s=0.05), noted)
    assert [one.status for one in noted[:3]] == [
        "I do not see anything that I recognize.",
        "I see an apple and a duck.",
        "I do not see anything that I recognize.",
    ]
    assert all(0.0 <= one.fraction <= 1.0 for one in noted)


def test_thing_that_came_during_a_restart_is_noticed() -> None:
    noted: list[Progress] = []
    watched(Watched([["apple"]]), job(duration_s=0.01), noted)
    later = job(checkpoint=noted[-1].checkpoint)
    assert watched(Watched([["apple", "duck"]]), later) == {"came": ["duck"]}


def test_failed_look_does_not_end_the_watch() -> None:
    lost = AgentError(ErrorCode.CAMERA_UNAVAILABLE, "The camera does not answer.")
    assert watched(Watched([lost, [], lost, ["duck"]]), job()) == {"came": ["duck"]}


def test_camera_that_stays_away_ends_the_watch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FAILING_TIME", 0.01)
    lost = AgentError(ErrorCode.CAMERA_UNAVAILABLE, "The camera does not answer.")
    with pytest.raises(AgentError) as caught:
        watched(Watched([[], lost]), job())
    assert caught.value is lost


def test_waits_for_tools_that_are_listed_after_a_start() -> None:
    robot = Watched([[], ["duck"]], absent=3)
    assert watched(robot, job()) == {"came": ["duck"]}


def test_tools_that_stay_away_end_the_watch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FAILING_TIME", 0.01)
    robot = Watched([[]], absent=10**9)
    with pytest.raises(AgentError, match="tools of the camera are not available"):
        watched(robot, job())
    assert robot.called == []


def test_look_that_is_refused_ends_the_watch_at_once() -> None:
    robot = Watched([AgentError(ErrorCode.APPROVAL_DENIED, "detect_objects is forbidden.")])
    with pytest.raises(AgentError, match="forbidden"):
        watched(robot, job())
    assert len(robot.called) == 2


def test_job_that_may_not_look_does_not_look() -> None:
    robot, refusal = Watched([[]]), AgentError(ErrorCode.APPROVAL_REQUIRED, "I may not look.")

    async def refused(_job: Job) -> None:
        raise refusal

    async def report(_progress: Progress) -> None: ...

    with pytest.raises(AgentError) as caught:
        asyncio.run(SceneWatch(robot, refused).run(job(), report))
    assert (caught.value, robot.called) == (refusal, [])


def test_looks_for_the_conversation_that_asked() -> None:
    robot = Watched([[], ["duck"]])
    watched(robot, job(session_id="desk", asked_by="phone"))
    assert {(call.session_id, call.asked_by) for call in robot.called} == {("desk", "phone")}


@pytest.mark.parametrize("language", sorted(language_codes()))
def test_speaks_every_language(language: str) -> None:
    watch = SceneWatch(Watched([[]]), allowed)
    for name in ("", "duck"):
        one = replace(job(name), language=language)
        endings = [
            replace(one, state=JobState.DONE, result={"came": ["duck", "zebra"]}),
            replace(one, state=JobState.DONE, result={"came": []}),
            replace(one, state=JobState.FAILED, result={"reason": "It took too long."}),
        ]
        told = [confirmation(one), watch.description(one, language), *map(watch.announcement, endings)]
        assert all(text and "{" not in text for text in told)
        assert len(set(told)) == len(told)
        assert "zebra" in told[2]


def test_label_that_a_detector_read_is_shortened() -> None:
    watch = SceneWatch(Watched([[]]), allowed)
    ended = replace(job(), state=JobState.DONE, result={"came": ["x" * 500]})
    assert watch.announcement(ended) == f"Something has come: {'x' * 60}."


class Desk:
    """Simulated desk on which the duck can be put. Delegates to one of two simulated robots."""

    def __init__(self) -> None:
        away, here = (MujocoBody(places={"duck": place}) for place in ((0.3, -3.0), (0.45, 0.0)))
        self.bodies = [away, here]
        for body in self.bodies:
            body.reset()
        self.body = away

    def put_duck(self) -> None:
        self.body = self.bodies[1]

    def close(self) -> None:
        for body in self.bodies:
            body.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.body, name)


@pytest.fixture
def desk() -> Iterator[Desk]:
    desk = Desk()
    yield desk
    desk.close()


@pytest.mark.slow
def test_sees_duck_that_is_put_on_the_simulated_desk(desk: Desk, tmp_path: Path) -> None:
    world = SimulatedWorld(desk, tmp_path)  # type: ignore[arg-type]
    noted: list[Progress] = []

    async def report(progress: Progress) -> None:
        noted.append(progress)
        if len(noted) == 3:
            desk.put_duck()

    found = asyncio.run(SceneWatch(world, allowed).run(job(), report))
    assert found == {"came": ["duck"]}
    assert "duck" not in noted[2].checkpoint["known"]
