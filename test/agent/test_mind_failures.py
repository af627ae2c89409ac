"""Failures in the complete agent: simultaneous and late requests, locked files, full disks.

Later commands succeed.
"""

import asyncio
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path

import pytest

from reachy_agent_ros.agent.conversation.conversation import Bounds
from reachy_agent_ros.agent.conversation.status import AgentActivity
from reachy_agent_ros.agent.conversation.turn import SpokenClause
from reachy_agent_ros.core.embedding import SentenceEmbedder
from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.testing.scripted_endpoint import ScriptedAnswer
from support.agent.cases import PLAN, code, obeys
from support.agent.model_protocol import Protocol
from support.agent.world import MindInWorld, until

embedder = cache(SentenceEmbedder)


def test_interruption_discards_rest_of_reply(tmp_path: Path) -> None:
    with Protocol(native=True).server(
        ScriptedAnswer("Here is one sentence for you. And here begins another", calls=(("current_time", {}),)),
        ScriptedAnswer("late", delay=5.0),
    ) as server:
        mind = MindInWorld(tmp_path, server)

        async def talk() -> None:
            turn = asyncio.create_task(mind.say("tell me something", speak=True))
            await until(lambda: mind.world.spoken)
            mind.conversation.interrupt()
            assert code(await turn) is ErrorCode.CANCELED

        asyncio.run(talk())
    spoken = [event.text for event in mind.events if isinstance(event, SpokenClause)]
    assert mind.world.spoken[0] == spoken[0] == "Here is one sentence for you."


def test_api_key_echoed_by_model_server_is_hidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = "sk-0123456789abcdef"
    monkeypatch.setenv("REACHY_AGENT_API_KEY", key)
    refusal = ScriptedAnswer(f"Incorrect API key provided: {key}.", status=401)
    with Protocol(native=True).server(refusal) as server:
        mind = MindInWorld(tmp_path, server)
        result = asyncio.run(mind.say("what do you make of the weather these days"))
    assert code(result) is ErrorCode.MODEL_FAILED
    assert result.error is not None
    assert "Incorrect API key provided: ***." in result.error.message
    assert result.reply == "I could not answer, because my language model failed."
    assert key not in f"{result}{mind.events}{mind.spans}{mind.access.status}"
    assert not [file for file in tmp_path.rglob("*") if file.is_file() and key.encode() in file.read_bytes()]


def test_stop_is_accepted_while_canceled_call_is_still_ending(tmp_path: Path) -> None:
    mind = MindInWorld(tmp_path)
    mind.world.lasting = {"move_head"}

    async def talk() -> None:
        mind.world.lets_go.clear()
        moving = asyncio.create_task(mind.say("look left"))
        await until(lambda: mind.world.calls)
        stopping = asyncio.create_task(mind.say("stop", wait=False))
        await until(lambda: mind.world.holds)
        next_one = asyncio.create_task(mind.say("take a photo"))
        await asyncio.sleep(0)
        assert mind.world.called == ["move_head"]
        mind.world.lets_go.set()
        assert (await stopping).reply == "I stopped."
        assert code(await moving) is ErrorCode.CANCELED
        assert (await next_one).error is None

    asyncio.run(talk())


def test_two_simultaneous_requests_are_both_answered(tmp_path: Path, protocol: Protocol) -> None:
    with protocol.server(protocol.reply("Hello, whoever is first."), protocol.reply("Hello, second one.")) as server:
        mind = MindInWorld(tmp_path, server)

        async def talk() -> None:
            both = [mind.say(f"hello, this is {name} speaking to you", session_id=name) for name in ("Kim", "Lou")]
            results = await asyncio.gather(*both)
            assert [result.reply.strip() for result in results] == ["Hello, whoever is first.", "Hello, second one."]
            for name, other in (("Kim", "Lou"), ("Lou", "Kim")):
                assert other not in str(await mind.sessions.history(name))
            await obeys(mind)

        asyncio.run(talk())


def test_rejected_request_gets_reply_with_reason(tmp_path: Path) -> None:
    mind = MindInWorld(tmp_path)
    mind.world.lasting = {"move_head"}

    async def talk() -> None:
        running = asyncio.create_task(mind.say("look left"))
        await until(lambda: mind.world.calls)
        assert (await mind.say("take a photo", wait=False)).reply == "Another turn is running."
        running.cancel()
        await running

    asyncio.run(talk())


def test_turn_reports_its_timeout(tmp_path: Path) -> None:
    mind = MindInWorld(tmp_path, bounds=Bounds(seconds=0.05))
    mind.world.lasting = {"move_head"}
    result = asyncio.run(mind.say("look left"))
    assert result.reply == "The turn exceeded its time limit of 0.05 s."
    mind.world.lasting.clear()


@contextmanager
def locked(path: Path) -> Iterator[None]:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


def test_agent_reports_locked_files_and_works_again_once_unlocked(
    tmp_path: Path, protocol: Protocol, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reachy_agent_ros.storage.database_file.BUSY_TIMEOUT", 0.05)
    monkeypatch.setattr("reachy_agent_ros.storage.database.PATIENCE", 0.05)
    with protocol.server(protocol.call("make_plan", PLAN), protocol.reply("I have a plan.")) as server:
        mind = MindInWorld(tmp_path, server)

        async def talk() -> None:
            mind.mind.status.ready()
            await mind.say("would you explore the room for me in your own way")
            with locked(tmp_path / "plans.sqlite3"):
                await obeys(mind)
            with locked(tmp_path / "sessions.sqlite3"):
                told = await mind.say("look left")
                assert told.reply.startswith("I looked to the left. The conversations cannot be used")
                assert mind.mind.status.status.state is AgentActivity.ERROR
            await obeys(mind)
            assert mind.mind.status.status.state is AgentActivity.READY

        asyncio.run(talk())


def test_agent_refuses_and_reports_call_that_cannot_be_logged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mind = MindInWorld(tmp_path)

    def full(_file: int) -> None:
        raise OSError(28, os.strerror(28))

    async def talk() -> None:
        with monkeypatch.context() as disk:
            disk.setattr(os, "fdatasync", full)
            refused = await mind.say("look left")
            assert code(refused) is ErrorCode.STORAGE_FAILED
            assert "No space left" in refused.reply
            assert mind.world.calls == []
            assert (await mind.say("stop")).reply == "I stopped."
        await obeys(mind)

    asyncio.run(talk())


def test_agent_sets_aside_and_reports_damaged_memory(tmp_path: Path) -> None:
    (tmp_path / "memory.db").write_bytes(b"no database at all" * 1000)
    mind = MindInWorld(tmp_path, embedder=embedder)

    async def talk() -> None:
        assert mind.mind.recollection is not None
        assert await asyncio.to_thread(mind.mind.recollection.open)
        assert "damaged" in mind.mind.problems()["memory"]
        await obeys(mind)

    asyncio.run(talk())
    assert list(tmp_path.glob("memory.db.damaged-*"))


def test_repeated_sentence_is_spoken_at_most_twice(tmp_path: Path) -> None:
    sentence = "There is nobody here at the moment."
    with Protocol(native=True).server(ScriptedAnswer(f"{sentence} " * 12)) as server:
        mind = MindInWorld(tmp_path, server)
        result = asyncio.run(mind.say("tell me a long story about the sea", speak=True))
    spoken = [event.text for event in mind.events if isinstance(event, SpokenClause)]
    assert code(result) is ErrorCode.MODEL_MISBEHAVED
    assert spoken == [sentence, sentence, "I stop here, because my language model got confused."]
    assert result.reply.endswith(" I stop here, because my language model got confused.")
