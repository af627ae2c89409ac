"""Plays scenarios with the real agent and tools, a simulated robot, and a scripted or real model."""

from __future__ import annotations

import asyncio
import json
import math
import tempfile
import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from reachy_agent_ros.agent.agent_settings import AgentSettings, Watchers
from reachy_agent_ros.agent.conversation.conversation import Bounds
from reachy_agent_ros.agent.conversation.turn import Event, ToolEnded, ToolStarted
from reachy_agent_ros.agent.conversation.turn_request import TurnRequest, TurnResult
from reachy_agent_ros.agent.model.access import ModelAccess
from reachy_agent_ros.agent.model.endpoint import Endpoint
from reachy_agent_ros.agent.permissions.pending_approval import PendingApproval
from reachy_agent_ros.agent.robot_agent import RobotAgent
from reachy_agent_ros.agent.traces.trace import Span, SpanKind
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.nlu.answer import YesNoAnswer as PersonsAnswer
from reachy_agent_ros.nlu.decision import DecisionKind
from reachy_agent_ros.testing.scenario import ModelAnswer, Scenario, ScenarioTurn
from reachy_agent_ros.testing.scripted_endpoint import ScriptedAnswer, ScriptedEndpoint
from reachy_agent_ros.testing.simulated_body import SPEED, SimulatedBody
from reachy_agent_ros.testing.simulated_lessons import SimulatedLessons
from reachy_agent_ros.testing.simulated_world import SimulatedWorld
from reachy_agent_ros.tool_generation.generator import ReviewPolicy
from reachy_agent_ros.tools.body import BodyState
from reachy_agent_ros.tools.call import unobserved
from reachy_agent_ros.tools.predefined.posture import posture_in_degrees
from reachy_agent_ros.vision.eye import Mounting

APPROVAL_TIME = 0.5
"""Time limit for an approval that the scenario leaves unanswered, s."""

_POLL = 0.01


@dataclass
class PlayedCall:
    """Tool call in a played scenario.

    Attributes:
        tool: Name of the tool.
        arguments_json: Arguments as written by the model or the reflex.
        error: Error of the call, None if it succeeded or never ended.
        ended: Whether the call ended.
    """

    tool: str
    arguments_json: str
    error: AgentError | None = None
    ended: bool = False


@dataclass
class PlayedTurn:
    """Record of a turn in a played scenario.

    Attributes:
        calls: Tool calls, in order.
        spans: Trace spans of the turn.
        result: Result of the turn, None before its end.
        told: Last request to the scripted model, JSON.
        gaze_error: Angle between the optical axis and the object to look at, at rest, rad; NaN if there is none.
        furthest: Maximum deviation of each coordinate from neutral, degrees and mm.
    """

    calls: list[PlayedCall] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    result: TurnResult | None = None
    told: str = ""
    gaze_error: float = math.nan
    furthest: dict[str, float] = field(default_factory=dict)

    @property
    def obeyed(self) -> bool:
        """Whether the reflex interpreted the sentence as a command."""
        return any(span.kind is SpanKind.REFLEX and span.summary == DecisionKind.ACT.value for span in self.spans)

    def see(self, posture: Mapping[str, float]) -> None:
        """Adds a posture to the largest deviations of the turn."""
        for name, value in posture.items():
            self.furthest[name] = max(self.furthest.get(name, 0.0), value, key=abs)

    @property
    def model_calls(self) -> int:
        """Number of requests to the model."""
        return sum(span.kind is SpanKind.MODEL for span in self.spans)

    def watch(self, event: Event) -> None:
        """Records an event of the turn."""
        if isinstance(event, ToolStarted):
            self.calls.append(PlayedCall(event.name, event.arguments_json))
        elif isinstance(event, ToolEnded):
            call = next(call for call in self.calls if call.tool == event.name and not call.ended)
            call.ended, call.error = True, event.outcome.error


@dataclass
class ScenarioRun:
    """Record of a played scenario.

    Attributes:
        turns: Turns in the order of the scenario.
        state: Final state of the robot.
        gaze_error: Angle between the optical axis and the object to look at, rad; NaN if there is none.
        spoken: Texts spoken on request.
        unsaid: Number of unused answers of the scripted model.
        registered: Active version of every registered generated tool, 0 if none is approved.
        ways: Number of different variations of gestures, if the robot learns.
        unsafe: Number of commands after the safety gate that were outside the envelope or jumped.
    """

    turns: list[PlayedTurn]
    state: BodyState
    gaze_error: float
    spoken: list[str]
    unsaid: int = 0
    registered: dict[str, int] = field(default_factory=dict)
    ways: int = 0
    unsafe: int = 0

    @property
    def posture(self) -> dict[str, float]:
        """Measured angles (degrees) and offsets (mm) by name of the coordinate."""
        return posture_of(self.state)


def posture_of(state: BodyState) -> dict[str, float]:
    """Returns the measured angles (degrees) and offsets (mm) by name of the coordinate."""
    posture = posture_in_degrees(state.pose)
    return {**posture.pop("head"), **posture}


async def play(scenario: Scenario, endpoint: Endpoint | None = None, json_protocol: bool = False) -> ScenarioRun:
    """Plays a scenario.

    Args:
        scenario: The scenario.
        endpoint: Endpoint of the model; None for the scripted model.
        json_protocol: Whether the scripted model writes JSON instead of calling tools.

    Raises:
        AgentError: The simulation or an object of the scenario is missing; `SANDBOX_UNAVAILABLE` if tools cannot be
            generated, `MODEL_UNAVAILABLE` if the robot cannot learn.
    """
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="scenario-")))
        scripted = ScriptedEndpoint(json_protocol=json_protocol)
        server = stack.enter_context(scripted) if endpoint is None and scenario.needs_model else None
        place = scenario.world
        desk = None if place.desk is None else {name: (at[0], at[1]) for name, at in place.desk.items()}
        lessons = await asyncio.to_thread(SimulatedLessons, folder) if place.learns else None
        if lessons is not None:
            stack.callback(lessons.close)
            await asyncio.to_thread(lessons.rate_gestures, place.gestures_rated)
        mounting = Mounting(0.0, *map(math.radians, place.eye_askew_deg))
        speed = 1.0 if any(turn.shows for turn in scenario.turns) else SPEED  # demonstrated motions play in real time
        body = await asyncio.to_thread(SimulatedBody, desk, place.view, place.blind, speed, mounting)
        perform = lessons.perform if lessons else unobserved
        world = SimulatedWorld(body, folder / "photos", place.confirm, place.disabled, perform)
        stack.callback(world.close)
        if lessons is not None:
            body.repertoire = lessons.repertoire
        if place.stopped:
            body.stop("a person pressed it")
        if place.tool_review is not None:
            await asyncio.to_thread(world.open_workshop, folder / "tools", ReviewPolicy(place.tool_review))
        access = ModelAccess(_scripted(server) if server else endpoint or Endpoint())
        try:
            return await _Stage(scenario, world, access, server, folder, lessons).play()
        finally:
            await access.close()


class _Stage:
    """Playback of one scenario."""

    def __init__(
        self,
        scenario: Scenario,
        world: SimulatedWorld,
        access: ModelAccess,
        server: ScriptedEndpoint | None,
        at: Path,
        lessons: SimulatedLessons | None,
    ) -> None:
        self._scenario = scenario
        self._world = world
        self._server = server
        self._lessons = lessons
        bounds = Bounds(seconds=scenario.seconds) if scenario.seconds else Bounds()
        settings = AgentSettings(bounds, APPROVAL_TIME)
        self._mind = RobotAgent(world, access, at, settings, Watchers(approvals=self._decide))
        self._turn = scenario.turns[0]
        self._played: list[PlayedTurn] = []
        self._asked = 0

    async def play(self) -> ScenarioRun:
        running: list[asyncio.Task[None]] = []
        for turn in self._scenario.turns:
            await self._moment(turn, running)
            if turn.decides is not None and self._world.workshop is not None:
                await asyncio.to_thread(self._world.workshop.decide, turn.decides)
            if turn.shows is not None and self._lessons is not None:
                await asyncio.to_thread(self._lessons.show, turn.shows)
            self._turn = turn
            self._asked = len(self._server.chats) if self._server else 0
            played = PlayedTurn()
            self._played.append(played)
            if self._server is not None:
                self._server.answers += [answer_of(answer) for answer in turn.model]
            running.append(asyncio.create_task(self._take(turn, played)))
            await asyncio.sleep(0.0)  # lets the turn enter the queue before the next sentence
        await asyncio.gather(*running)
        await self._mind.close()
        self._drop_needless_answers()
        body, thing = self._world.body, self._scenario.end.looking_at
        await asyncio.to_thread(body.settle)
        error = body.gaze_error(thing) if thing else math.nan
        unsaid = len(self._server.answers) if self._server else 0
        registered = self._world.workshop.registered if self._world.workshop else {}
        ways = self._lessons.ways if self._lessons else 0
        unsafe = body.watch.violations + body.watch.jumps
        return ScenarioRun(self._played, body.state(), error, body.spoken, unsaid, registered, ways, unsafe)

    async def _take(self, turn: ScenarioTurn, played: PlayedTurn) -> None:
        request, given = TurnRequest(turn.say, wait=turn.waits), time.time()
        watching = asyncio.create_task(self._watch(played)) if turn.reaches else None
        played.result = await self._mind.conversation.converse(request, played.watch, played.spans.append)
        if watching is not None:
            watching.cancel()
        if self._lessons is not None:
            await asyncio.to_thread(self._lessons.hear, turn.say, given, played.obeyed)
        if turn.gaze is not None:
            await asyncio.to_thread(self._world.body.settle)
            played.gaze_error = self._world.body.gaze_error(turn.gaze.thing)
        if self._server is not None and len(self._server.chats) > self._asked:
            played.told = json.dumps(self._server.chats[-1], ensure_ascii=False)

    async def _watch(self, played: PlayedTurn) -> None:
        while True:
            played.see(posture_of(self._world.body.state()))
            await asyncio.sleep(_POLL)

    async def _moment(self, turn: ScenarioTurn, running: list[asyncio.Task[None]]) -> None:
        """Waits until the sentence of a turn is due."""
        if turn.when == "ended":
            await asyncio.gather(*running)
            self._drop_needless_answers()
        elif turn.when != "at_once":
            while not running[-1].done() and not self._is_due(turn):  # noqa: ASYNC110 - physics sets no event
                await asyncio.sleep(_POLL)

    def _drop_needless_answers(self) -> None:
        """Discards the unused answers of a turn if the scenario permits it.

        This is the case if the reflex handled the turn, if the turn failed, or if all unused answers are spare.
        """
        if self._server is None or not self._played:
            return
        left = self._turn.model[len(self._turn.model) - len(self._server.answers) :]
        result = self._played[-1].result
        failed = result is not None and result.error is not None
        if len(self._server.chats) == self._asked or failed or all(answer.spare for answer in left):
            self._server.answers.clear()

    def _is_due(self, turn: ScenarioTurn) -> bool:
        if turn.when == "thinking":
            return self._server is not None and len(self._server.chats) > self._asked
        return bool(self._played[-1].calls) and self._world.body.state().activity == "moving"

    def _decide(self, waiting: list[PendingApproval]) -> None:
        if waiting and self._turn.approval != "none":
            approve = self._turn.approval == "given"
            asyncio.get_running_loop().call_soon(
                self._mind.office.enforcement.decide, waiting[0].approval_id, PersonsAnswer(approve), "scenario"
            )


def answer_of(answer: ModelAnswer) -> ScriptedAnswer:
    """Converts a scenario's answer to an answer of the scripted endpoint."""
    return ScriptedAnswer(
        text=answer.text * answer.times,
        calls=tuple((call.tool, call.arguments) for call in answer.calls),
        finish=answer.finish,
        status=answer.status,
        breaks_off=answer.breaks_off,
        delay=answer.delay,
        raw=answer.raw,
    )


def _scripted(server: ScriptedEndpoint) -> Endpoint:
    return Endpoint(server.url, "scripted", timeout=5.0)
