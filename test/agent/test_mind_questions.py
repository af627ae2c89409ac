"""Approval questions in the complete agent, including after a restart."""

import asyncio
import uuid
from functools import partial
from pathlib import Path

import pytest

from reachy_agent_ros.agent.conversation.status import AgentActivity
from reachy_agent_ros.agent.conversation.turn_request import TurnSource
from reachy_agent_ros.agent.permissions.permission_service import AUDIT_FILE
from reachy_agent_ros.agent.permissions.permissions import Call
from reachy_agent_ros.agent.sessions.session_store import DEFAULT_SESSION
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tools.protocol.tools import ToolDescription
from support.agent.cases import TIDY, asked, code, guarded, nothing_waits, obeys, restarted
from support.agent.model_protocol import Protocol
from support.agent.world import MindInWorld, until
from support.locked_file import locked_file


@pytest.mark.slow
@pytest.mark.parametrize("approve", [True, False])
def test_approval_question_survives_restart(tmp_path: Path, protocol: Protocol, approve: bool) -> None:
    with protocol.server(*guarded(protocol, "So be it, then.")) as server:

        async def talk() -> MindInWorld:
            mind = await restarted(MindInWorld(tmp_path, server), lambda: MindInWorld(tmp_path, server))
            (turn,) = mind.take_up()
            await until(lambda: mind.pending)
            assert mind.world.calls == []
            approval = mind.pending[0].approval_id
            mind.decide(approve)
            request, result = await turn
            assert (request.text, result.error, result.reply.strip()) == (TIDY, None, "So be it, then.")
            assert mind.world.calls == ([("erase", {}, approval)] if approve else [])
            await obeys(mind)
            return mind

        mind = asyncio.run(talk())
    kept = [item.get("content") for item in asyncio.run(mind.sessions.history(DEFAULT_SESSION))]
    assert kept[0] == TIDY
    assert "So be it, then." in str(kept)
    assert ("APPROVAL_DENIED" in str(server.chats[-1]["messages"])) is not approve
    mind.close()
    assert asyncio.run(nothing_waits(tmp_path))


@pytest.mark.slow
def test_approval_question_not_answered_after_restart_is_denied(tmp_path: Path, protocol: Protocol) -> None:
    with protocol.server(*guarded(protocol, "Then I leave it.")) as server:

        async def talk() -> None:
            mind = await restarted(
                MindInWorld(tmp_path, server), partial(MindInWorld, tmp_path, server, approval_time=0.05)
            )
            (turn,) = mind.take_up()
            _, result = await turn
            assert result.error is None
            assert mind.world.calls == []
            await obeys(mind)

        asyncio.run(talk())
    assert "in time" in str(server.chats[-1]["messages"])


@pytest.mark.slow
def test_turn_resumes_after_restart_even_if_tool_is_missing(tmp_path: Path, protocol: Protocol) -> None:
    with protocol.server(*guarded(protocol, "I cannot do that any more.")) as server:

        async def talk() -> None:
            mind = await restarted(MindInWorld(tmp_path, server), lambda: MindInWorld(tmp_path, server))
            tools, mind.world.tools = mind.world.tools, ()
            (turn,) = mind.take_up()
            await until(lambda: mind.pending)
            mind.decide(True)
            _, result = await turn
            assert (result.error, result.reply.strip()) == (None, "I cannot do that any more.")
            assert mind.world.calls == []
            assert "'erase' not found" in str(server.chats[-1]["messages"])
            mind.world.tools = tools
            await obeys(mind)

        asyncio.run(talk())


@pytest.mark.parametrize("source", [TurnSource.TYPED, TurnSource.SPOKEN])
@pytest.mark.parametrize(("words", "done"), [("Yes, go ahead.", True), ("No, do not do that!", False)])
def test_user_can_answer_approval_question_in_a_message(
    tmp_path: Path, protocol: Protocol, source: TurnSource, words: str, done: bool
) -> None:
    with protocol.server(*guarded(protocol, "So be it, then.")) as server:
        mind = MindInWorld(tmp_path, server)

        async def talk() -> None:
            turn = await asked(mind)
            assert mind.mind.status.status.state is AgentActivity.WAITING_FOR_APPROVAL
            told = await mind.say(words, source=source)
            assert (told.error, told.reply) == (
                None,
                "All right." if done else "All right, I will not use the tool erase.",
            )
            assert (await turn).error is None
            await obeys(mind)

        asyncio.run(talk())
    assert mind.world.called == [*(["erase"] if done else []), "move_head"]
    assert mind.world.holds == 0


@pytest.mark.slow
def test_approval_for_session_is_requested_only_once(tmp_path: Path, protocol: Protocol) -> None:
    with protocol.server(*guarded(protocol, "It is gone."), *guarded(protocol, "Gone again.")) as server:
        mind = MindInWorld(tmp_path, server)

        async def talk() -> None:
            turn = await asked(mind)
            await mind.say("yes, for this session")
            await turn
            again = await mind.say(TIDY)
            assert again.reply.strip() == "Gone again."
            other = asyncio.create_task(mind.say(TIDY, session_id="another"))
            server.answers += guarded(protocol, "Not here.")
            await until(lambda: mind.pending)
            mind.decide(False)
            await other

        asyncio.run(talk())
    assert mind.world.called == ["erase", "erase"]


def test_agent_works_while_answer_waits_for_audit_log(tmp_path: Path, protocol: Protocol) -> None:
    with protocol.server(*guarded(protocol, "It is gone.")) as server:
        mind = MindInWorld(tmp_path, server)

        async def talk() -> None:
            turn = await asked(mind)
            with locked_file(tmp_path / AUDIT_FILE):
                answer = asyncio.create_task(mind.say("yes"))
                await until(mind.mind.office.approvals.decided)
            assert (await answer).error is None
            await turn

        asyncio.run(talk())
    assert mind.world.called == ["erase"]


def test_approval_question_is_repeated_after_unclear_answer(tmp_path: Path, protocol: Protocol) -> None:
    with protocol.server(*guarded(protocol, "It is gone.")) as server:
        mind = MindInWorld(tmp_path, server)

        async def talk() -> None:
            turn = await asked(mind)
            question = (await mind.say("yes, but only the small ones")).reply
            assert question == "May I use the tool erase? Please say yes or no."
            assert mind.world.calls == []
            await mind.say("yes")
            await turn

        asyncio.run(talk())
    assert mind.world.called == ["erase"]


def test_reply_to_answer_after_stop_reports_withdrawn_question(tmp_path: Path, protocol: Protocol) -> None:
    with protocol.server(*guarded(protocol)) as server:
        mind = MindInWorld(tmp_path, server)

        async def talk() -> None:
            turn = await asked(mind)
            await mind.say("stop")
            await turn
            late = await mind.say("yes, go ahead")
            assert late.error is None
            assert late.reply.startswith("The request to use the tool erase was withdrawn, so your answer has no")
            await obeys(mind)

        asyncio.run(talk())
    assert "erase" not in mind.world.called
    assert len(server.chats) == 2
    mind.close()


@pytest.mark.parametrize("how", ["words", "tool"])
def test_stop_withdraws_approval_requests_of_other_programs(tmp_path: Path, how: str) -> None:
    mind = MindInWorld(tmp_path)
    mind.world.tools = (*mind.world.tools, ToolDescription("stop", "Stops.", {}, 5.0))

    async def talk() -> None:
        call = asyncio.create_task(
            mind.mind.executor.call(Call("erase", "{}", "calls of somebody", uuid.uuid4(), "somebody"))
        )
        await until(lambda: mind.pending)
        question = mind.pending[0].approval_id
        if how == "words":
            assert (await mind.say("stop")).reply == "I stopped."
        else:
            await mind.mind.executor.call(Call("stop", "{}", "calls of another", uuid.uuid4(), "another"))
        ended = (await call).error
        assert ended is not None
        assert ended.code is ErrorCode.CANCELED
        assert ended.message == "The robot was stopped, which withdrew the request to use erase."
        with pytest.raises(AgentError, match="was withdrawn, so the answer has no effect"):
            mind.mind.office.approvals.decide(question, True, "Ada")
        assert mind.pending == []

    asyncio.run(talk())
    assert "erase" not in mind.world.called
    mind.close()


def test_stop_withdraws_approval_question(tmp_path: Path, protocol: Protocol) -> None:
    with protocol.server(*guarded(protocol)) as server:
        mind = MindInWorld(tmp_path, server)

        async def talk() -> None:
            turn = await asked(mind)
            question = mind.pending[0].approval_id
            assert (await mind.say("stop")).reply == "I stopped."
            assert code(await turn) is ErrorCode.CANCELED
            assert mind.pending == []
            with pytest.raises(AgentError, match="was withdrawn, so the answer has no effect"):
                mind.mind.office.approvals.decide(question, True, "Ada")
            await obeys(mind)

        asyncio.run(talk())
    assert mind.world.holds == 1
    mind.close()
    assert asyncio.run(nothing_waits(tmp_path))


def test_repeated_or_late_answer_has_no_effect_and_is_reported(tmp_path: Path, protocol: Protocol) -> None:
    with protocol.server(*guarded(protocol, "It is gone.")) as server:
        mind = MindInWorld(tmp_path, server)

        async def talk() -> None:
            turn = await asked(mind)
            question = mind.pending[0].approval_id
            mind.decide(True)
            told = await mind.say("no")
            assert "already answered with yes" in told.reply
            await turn
            with pytest.raises(AgentError, match="already answered"):
                mind.mind.office.approvals.decide(question, False, "Ada")
            late = await mind.say("yes")
            assert late.reply
            await obeys(mind)

        asyncio.run(talk())
    assert mind.world.called == ["erase", "move_head"]


def test_interrupting_speech_can_answer_approval_question(tmp_path: Path, protocol: Protocol) -> None:
    with protocol.server(*guarded(protocol, "It is gone.")) as server:
        mind = MindInWorld(tmp_path, server)

        async def talk() -> None:
            turn = await asked(mind)
            mind.conversation.interrupt()
            await mind.say("yes")
            assert (await turn).error is None

        asyncio.run(talk())
    assert mind.world.called == ["erase"]


def test_approval_question_of_another_program_does_not_block_interruption(tmp_path: Path) -> None:
    mind = MindInWorld(tmp_path)
    mind.world.lasting = {"move_head"}

    async def talk() -> None:
        foreign = Call("erase", "{}", "calls of a program", uuid.uuid4(), "a program")
        call = asyncio.create_task(mind.mind.executor.call(foreign))
        await until(lambda: mind.pending)
        turn = asyncio.create_task(mind.say("look left"))
        await until(lambda: mind.world.calls)
        mind.conversation.interrupt()
        assert code(await turn) is ErrorCode.CANCELED
        mind.decide(False)
        assert (await call).error is not None

    asyncio.run(talk())


def test_stop_denies_pending_approval(tmp_path: Path, protocol: Protocol) -> None:
    with protocol.server(*guarded(protocol, "It is gone.")) as server:
        mind = MindInWorld(tmp_path, server)

        async def talk() -> None:
            turn = await asked(mind)
            mind.conversation.end_all()
            assert code(await turn) is ErrorCode.CANCELED
            assert not mind.pending

        asyncio.run(talk())
    assert mind.world.called == []
