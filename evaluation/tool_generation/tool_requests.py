"""Success rate of a language model at writing the tools that a user requests.

Run `scripts/evaluate tool_requests --endpoint http://127.0.0.1:11434/v1 --model gemma4`. Its duration depends on the
model.

The agent, the tool generation with its sandboxes and the simulated robot are real. A turn ends when the tool is
registered or waits for a person, who approves it. The tool is then tested on cases that the model never saw (see
`tool_requests.yaml`). The result is printed at the end of each request.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict

from bench.report import Figure, print_report
from evaluation.tool_generation.hidden_case import HiddenCase, HiddenCases
from reachy_agent_ros.agent.agent_settings import AgentSettings, Watchers
from reachy_agent_ros.agent.conversation.conversation import Bounds
from reachy_agent_ros.agent.conversation.tool_writing import WRITE_TOOL
from reachy_agent_ros.agent.conversation.turn import Event, ToolEnded, ToolStarted
from reachy_agent_ros.agent.conversation.turn_request import TurnRequest
from reachy_agent_ros.agent.model.access import ModelAccess
from reachy_agent_ros.agent.model.budget import Budget
from reachy_agent_ros.agent.model.endpoint import Endpoint, EndpointTier
from reachy_agent_ros.agent.permissions.pending_approval import PendingApproval
from reachy_agent_ros.agent.robot_agent import RobotAgent
from reachy_agent_ros.nlu.answer import YesNoAnswer
from reachy_agent_ros.testing.scenario import ToolDecision
from reachy_agent_ros.testing.simulated_body import SimulatedBody
from reachy_agent_ros.testing.simulated_world import SimulatedWorld
from reachy_agent_ros.tool_generation.generator import ReviewPolicy
from reachy_agent_ros.tool_generation.registry.registry import Registry
from reachy_agent_ros.tool_generation.sandbox.opening import open_sandbox
from reachy_agent_ros.tool_generation.validation.reader import read_program

FILE = Path(__file__).with_suffix(".yaml")

BAR = 80.0  # % of the requests
PATIENT = Bounds(seconds=1800.0, tokens=400_000)  # a model on one core is slow, and speed is not measured here

IDLE = 0.1  # speed relative to real time: the simulated robot has nothing to do, and the model needs the processor


class ToolRequest(BaseModel):
    """Request of a user for a new tool.

    Attributes:
        ask: Words of the person.
        cases: Hidden cases that the tool must pass.
    """

    model_config = ConfigDict(extra="forbid")

    ask: str
    cases: list[HiddenCase]


@dataclass
class Written:
    """Result of a request for a new tool.

    Attributes:
        ask: The person's request.
        cases: Number of hidden cases.
        tool: Name of the saved tool; empty if there is none.
        attempts: Number of calls of `write_tool`.
        failures: Reasons of rejected attempts, in order.
        sources: Arguments of `write_tool` in each attempt, JSON.
        right: Number of hidden cases that the tool passes.
        faults: Errors in the other cases.
        tokens: Tokens that the model read and wrote.
        seconds: Duration of the turn, s.
        reply: Last reply to the person, or the error that ended the turn.
    """

    ask: str
    cases: int
    tool: str = ""
    attempts: int = 0
    failures: list[str] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    right: int = 0
    faults: list[str] = field(default_factory=list)
    tokens: int = 0
    seconds: float = 0.0
    reply: str = ""

    @property
    def whole(self) -> bool:
        """Whether the tool was saved and passes all hidden test cases."""
        return bool(self.tool) and self.right == self.cases

    @property
    def line(self) -> str:
        """Description of the result in two lines, and one line for each failure and fault."""
        kept = f"{self.tool} at attempt {self.attempts}" if self.tool else f"no tool in {self.attempts} attempts"
        figures = f"{self.right}/{self.cases} cases, {self.tokens} tokens, {self.seconds:.0f} s"
        why = [*(f"{'':4}refused: {one}" for one in self.failures), *(f"{'':4}wrong: {one}" for one in self.faults)]
        return "\n".join(
            [f"{'right' if self.whole else 'WRONG'}: {self.ask.strip()}", f"{'':4}{kept}, {figures}", *why]
        )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options for the model, the choice of requests, and the log."""
    parser.add_argument("--endpoint", required=True, help="base URL of the model server")
    parser.add_argument("--model", required=True, help="name of the model on that server")
    parser.add_argument("--only", type=int, nargs="*", default=[], help="numbers of requests, from 1; default: all")
    parser.add_argument("--log", type=Path, help="file that each result is added to, one JSON object per line")


def main(as_json: bool, endpoint: str, model: str, only: Sequence[int] = (), log: Path | None = None) -> int:
    """Asks the model to write tools. Always returns exit code 0."""
    chosen = [one for number, one in enumerate(load(), 1) if number in only or not only]
    outcomes = asyncio.run(_run(chosen, Endpoint(endpoint, model, timeout=600.0), log))
    print_report(f"tool requests, {model}", figures(outcomes), as_json)
    return 0


def load() -> list[ToolRequest]:
    """Returns the requests for tools in the order of the file."""
    return [ToolRequest.model_validate(one) for one in yaml.safe_load(FILE.read_text(encoding="utf-8"))]


async def written(requests: Sequence[ToolRequest], endpoint: Endpoint) -> AsyncIterator[Written]:
    """Asks a model for the tools one after the other. Each request goes to a new agent without earlier tools."""
    sandbox = await asyncio.to_thread(open_sandbox)
    hidden = HiddenCases(sandbox)
    access = ModelAccess(EndpointTier((endpoint,), Budget(PATIENT.tokens, PATIENT.seconds)))
    try:
        for request in requests:
            async with _workshop(access) as (mind, world, folder):
                outcome = await _asked(mind, request)
                source = await asyncio.to_thread(_kept_source, world, folder, outcome)
            if source:
                await asyncio.to_thread(_judge, hidden, request, source, outcome)
            yield outcome
    finally:
        await access.close()
        hidden.close()
        sandbox.close()


def figures(outcomes: Sequence[Written]) -> list[Figure]:
    """Returns the figures of all outcomes."""
    count, usual = len(outcomes), Bounds()
    kept, first, right = (sum(flags) for flags in zip(*map(_flags, outcomes), strict=True))
    return [
        Figure("requests", count, ""),
        Figure("a tool was kept", 100.0 * kept / count, "%"),
        Figure("at the first attempt", 100.0 * first / count, "%"),
        Figure("it passes all hidden cases", 100.0 * right / count, "%", BAR, at_least=True),
        Figure("hidden cases right", sum(one.right for one in outcomes), ""),
        Figure("of", sum(one.cases for one in outcomes), ""),
        Figure("tokens a request, mean", sum(one.tokens for one in outcomes) / count, ""),
        Figure("time a request, mean", sum(one.seconds for one in outcomes) / count, "s"),
        Figure("requests beyond a turn's usual tokens", sum(one.tokens > usual.tokens for one in outcomes), ""),
        Figure("requests beyond a turn's usual time", sum(one.seconds > usual.seconds for one in outcomes), ""),
    ]


def _flags(one: Written) -> tuple[bool, bool, bool]:
    return bool(one.tool), bool(one.tool) and one.attempts == 1, one.whole


@asynccontextmanager
async def _workshop(access: ModelAccess) -> AsyncIterator[tuple[RobotAgent, SimulatedWorld, Path]]:
    """Creates an agent, its simulated world, and the folder for the tools that the agent writes."""
    with tempfile.TemporaryDirectory(prefix="tool-requests-") as name:
        folder = Path(name)
        world = SimulatedWorld(await asyncio.to_thread(SimulatedBody, speed=IDLE), folder / "photos")
        mind = RobotAgent(
            world, access, folder, AgentSettings(PATIENT), Watchers(approvals=lambda now: _agree(mind, now))
        )
        try:
            await asyncio.to_thread(world.open_workshop, folder / "tools", ReviewPolicy.ACTING)
            yield mind, world, folder / "tools"
        finally:
            await mind.close()
            world.close()


def _agree(mind: RobotAgent, waiting: Sequence[PendingApproval]) -> None:
    """Approves every pending call, in place of a user."""
    for one in waiting:
        decide = mind.office.enforcement.decide
        asyncio.get_running_loop().call_soon(decide, one.approval_id, YesNoAnswer(True), "benchmark")


async def _asked(mind: RobotAgent, request: ToolRequest) -> Written:
    """Runs a turn until a tool has been created or the turn ends."""
    outcome = Written(request.ask, len(request.cases))

    def watch(event: Event) -> None:
        if isinstance(event, ToolStarted) and event.name == WRITE_TOOL:
            outcome.attempts += 1
            outcome.sources.append(event.arguments_json)
        elif isinstance(event, ToolEnded) and event.name == WRITE_TOOL:
            if event.outcome.error is None:
                outcome.tool = str(json.loads(event.outcome.result_json)["name"])
                turn.cancel()  # the use of the tool is evaluated separately
            else:
                outcome.failures.append(event.outcome.error.message)

    turn = asyncio.create_task(mind.conversation.converse(TurnRequest(request.ask), watch, lambda _span: None))
    result = await turn
    outcome.reply = result.reply if result.error is None else result.error.message
    outcome.tokens, outcome.seconds = result.input_tokens + result.output_tokens, result.elapsed
    return outcome


def _kept_source(world: SimulatedWorld, folder: Path, outcome: Written) -> str:
    """Returns the source of the registered tool, or an empty text if no tool was created.

    A tool that is still waiting for approval is approved.
    """
    if not outcome.tool or world.workshop is None:
        return ""
    if not world.workshop.registered[outcome.tool]:
        world.workshop.decide(ToolDecision(what="approve", tool=outcome.tool))
    return Registry(folder).source_of(outcome.tool)


def _judge(hidden: HiddenCases, request: ToolRequest, source: str, outcome: Written) -> None:
    program = read_program(source.encode())
    faults = [hidden.fault(program, case) for case in request.cases]
    outcome.right = faults.count("")
    outcome.faults += [f"{case.given}: {fault}" for case, fault in zip(request.cases, faults, strict=True) if fault]


async def _run(requests: Sequence[ToolRequest], endpoint: Endpoint, log: Path | None) -> list[Written]:
    """Asks for all tools. After each request, prints the result and adds it to the log."""
    outcomes = []
    async for one in written(requests, endpoint):
        outcomes.append(one)
        print(one.line, file=sys.stderr, flush=True)
        if log is not None:
            with log.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(one), ensure_ascii=False) + "\n")
    return outcomes
