"""Time that the agent adds to the time of its language model: per call, until speech, and after a cancellation.

Run `reachy-agent bench model`. It takes a minute; `--full` changes nothing. The agent is complete, with memory,
permissions and free phrases. The model is a server in this process that sends scripted answers after a known delay over
HTTP; all other time counts as the agent's, including the work of the server.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
import time
from collections.abc import AsyncIterator, Sized
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

from bench.paced_model import PacedModel
from bench.report import Figure, percentile, print_report
from reachy_agent_ros.core.embedding import SentenceEmbedder
from reachy_agent_ros.testing.scripted_endpoint import ScriptedAnswer, ScriptedEndpoint
from support.agent.world import MindInWorld

TURNS = 15
DELAY = 0.1  # s until the first piece of a model's answer
PACE = 0.02  # s between two pieces of its answer
QUESTION = "Do you know why the door over there is as blue as the sea in summer?"  # too long to be learned as a habit
ANSWER = "This is the first sentence of it. And here the second one has a few more words."
FIRST_END = "it. "
EMBEDDER = cache(SentenceEmbedder)


def main(as_json: bool, full: bool = False) -> int:
    """Measures both protocols. Always returns exit code 0."""
    del full  # there is no long form
    print_report("model", asyncio.run(_figures()), as_json)
    return 0


async def _figures() -> list[Figure]:
    figures = [Figure("turns of each kind", TURNS, "")]
    for native in (True, False):
        protocol = "native" if native else "JSON"
        calls = await _overheads(native)
        clauses = await _clauses(native)
        rests = await _rests(native)
        figures += [
            Figure(f"model call without the model, {protocol}, median", 1e3 * median(calls), "ms", 40.0),
            Figure(f"model call without the model, {protocol}, 95 %", 1e3 * percentile(calls, 95), "ms"),
            Figure(f"end of the first clause to the voice, {protocol}, median", 1e3 * median(clauses), "ms"),
            Figure(f"end of the first clause to the voice, {protocol}, most", 1e3 * max(clauses), "ms", 20.0),
            Figure(f"cancel to rest of all tools, {protocol}, most", 1e3 * max(rests), "ms", 200.0),
        ]
    return figures


async def _overheads(native: bool) -> list[float]:
    """Returns the added time (s) per call in turns of three model calls: a handoff, a tool call, and an answer."""
    script = [
        ScriptedAnswer(calls=(("transfer_to_robot", {}),), delay=DELAY),
        ScriptedAnswer(calls=(("move_head", {"yaw_deg": 20.0}),), delay=DELAY),
        ScriptedAnswer("I turned to the door.", delay=DELAY),
    ]
    with ScriptedEndpoint(script * TURNS, json_protocol=not native) as server:
        async with _mind(server) as mind:
            found = []
            for turn in range(TURNS):
                began = time.monotonic()
                result = await mind.say(QUESTION, session_id=str(turn))
                if result.error is not None:
                    raise result.error
                found.append((time.monotonic() - began) / len(script) - DELAY)
    return found[1:]  # the first one finds cold caches


async def _clauses(native: bool) -> list[float]:
    """Returns the time (s) from when the server sends the end of a clause until the voice receives the clause."""
    text = ANSWER if native else json.dumps({"reply": ANSWER})
    pieces = [f"{word} " for word in text.split(" ")]
    spoken: list[float] = []
    with PacedModel(pieces, pieces.index(FIRST_END), PACE, native) as server:
        async with _mind(server) as mind:
            say = mind.world.say

            async def timed(*arguments: Any) -> None:
                spoken.append(time.monotonic())
                await say(*arguments)

            mind.world.say = timed
            for turn in range(TURNS):
                del spoken[2 * turn :]
                await mind.say(QUESTION, session_id=str(turn), speak=True)
                await _grown(spoken, 2 * (turn + 1))
    return [heard - sent for sent, heard in zip(server.sent, spoken[::2], strict=True)][1:]


async def _rests(native: bool) -> list[float]:
    """Returns the time (s) from the cancellation of a turn with a running tool until both have ended."""
    script = [ScriptedAnswer(calls=(("transfer_to_robot", {}),)), ScriptedAnswer(calls=(("move_head", {}),))]
    found = []
    with ScriptedEndpoint(script * TURNS, json_protocol=not native) as server:
        async with _mind(server) as mind:
            mind.world.lasting = {"move_head"}
            for turn in range(TURNS):
                task = asyncio.create_task(mind.say(QUESTION, session_id=str(turn)))
                await _grown(mind.world.calls, turn + 1)
                began = time.monotonic()
                task.cancel()
                await task
                await _grown(mind.world.cancelled, turn + 1)
                found.append(time.monotonic() - began)
    return found


async def _grown(things: Sized, length: int) -> None:
    async with asyncio.timeout(10.0):
        while len(things) < length:  # noqa: ASYNC110 - the body has no event for it
            await asyncio.sleep(0.001)


@asynccontextmanager
async def _mind(server: Any) -> AsyncIterator[Any]:
    with tempfile.TemporaryDirectory() as folder:
        mind = MindInWorld(Path(folder), server, embedder=EMBEDDER)
        await mind.mind.begin()
        await mind.access.model()
        try:
            yield mind
        finally:
            await mind.mind.close()
            await mind.access.close()
