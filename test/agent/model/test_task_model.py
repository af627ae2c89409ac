import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from agents import Agent, ModelResponse, ModelSettings, ModelTracing, RunConfig, Runner, function_tool
from openai.types.responses import ResponseTextDeltaEvent

from reachy_agent_ros.agent.model.access import ModelAccess
from reachy_agent_ros.agent.model.budget import Budget
from reachy_agent_ros.agent.model.endpoint import Endpoint, EndpointTier
from reachy_agent_ros.agent.model.request import ModelRequest
from reachy_agent_ros.agent.model.task_model import STARTING_OVER, TaskModel
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.testing.scripted_endpoint import ScriptedAnswer, ScriptedEndpoint
from support.agent.world import until

REQUEST = ModelRequest("Be kind.", "hello", ModelSettings(), [], None, [], ModelTracing.DISABLED)
LONG = "This is a rather long answer that goes on for quite a few words before it ends."
NOBODY = Endpoint("http://127.0.0.1:9/v1", "nobody", connect_timeout=0.5)


@pytest.fixture(params=[False, True], ids=["native", "json_schema"])
def server(request: pytest.FixtureRequest) -> Callable[..., ScriptedEndpoint]:
    return lambda *answers: ScriptedEndpoint(list(answers), json_protocol=request.param)


def at(server: ScriptedEndpoint, **options: Any) -> Endpoint:
    return Endpoint(server.url, "scripted", **{"timeout": 5.0, **options})


def tier(*endpoints: Endpoint, **budget: Any) -> EndpointTier:
    return EndpointTier(endpoints, Budget(**budget))


async def heard(model: TaskModel) -> str:
    """What is said aloud, piece by piece."""
    return "".join([event.delta async for event in model.stream(REQUEST) if isinstance(event, ResponseTextDeltaEvent)])


def asked(access: ModelAccess, ask: Callable[[TaskModel], Coroutine[Any, Any, Any]] = heard, text: str = "") -> Any:
    async def run() -> Any:
        try:
            return await ask(await access.model(text))
        finally:
            await access.close()

    return asyncio.run(run())


def test_a_whole_answer_and_a_streamed_one_are_the_same(server: Callable[..., ScriptedEndpoint]) -> None:
    async def whole(model: TaskModel) -> ModelResponse:
        return await model.answer(REQUEST)

    with server(ScriptedAnswer("Hello Kim."), ScriptedAnswer("Hello Kim.")) as first:
        assert asked(ModelAccess(at(first))).strip() == "Hello Kim."
        response = asked(ModelAccess(at(first)), whole)
    assert response.output[0].content[0].text.strip() == "Hello Kim."
    assert (response.usage.input_tokens, response.usage.output_tokens) == (100, 10)


def test_what_happened_is_counted(server: Callable[..., ScriptedEndpoint]) -> None:
    async def twice(model: TaskModel) -> TaskModel:
        await heard(model)
        await heard(model)
        return model

    with server(ScriptedAnswer("One."), ScriptedAnswer("Two.")) as first:
        counters = asked(ModelAccess(at(first)), twice).counters
    assert (counters.calls, counters.input_tokens, counters.output_tokens) == (2, 200, 20)
    assert (counters.retries, counters.fallbacks, counters.repaired, counters.salvaged) == (0, 0, 0, 0)
    assert 0.0 < counters.first_token <= counters.elapsed
    assert 0.0 < counters.seconds <= counters.elapsed


def test_a_dead_endpoint_is_passed_over_and_then_left_alone(server: Callable[..., ScriptedEndpoint]) -> None:
    with server(ScriptedAnswer("I am here."), ScriptedAnswer("Still here.")) as second:
        access = ModelAccess(tier(NOBODY, at(second)))

        async def run() -> None:
            model = await access.model()
            assert (await heard(model)).strip() == "I am here."
            assert model.counters.fallbacks == 1
            assert access.links[0].health.rest > 0.0
            again = await access.model()
            assert (await heard(again)).strip() == "Still here."
            assert again.counters.fallbacks == 0
            await access.close()

        asyncio.run(run())


@pytest.mark.parametrize(
    "bad",
    [ScriptedAnswer("no memory", status=500), ScriptedAnswer(raw="<html>"), ScriptedAnswer("", breaks_off=True)],
    ids=str,
)
def test_what_fails_before_it_is_heard_is_answered_by_the_next(
    server: Callable[..., ScriptedEndpoint], bad: ScriptedAnswer
) -> None:
    with server(bad) as first, server(ScriptedAnswer("I can help.")) as second:
        assert asked(ModelAccess(tier(at(first), at(second)))).strip() == "I can help."


def test_starting_over_after_half_an_answer_is_said(server: Callable[..., ScriptedEndpoint]) -> None:
    with server(ScriptedAnswer(LONG, breaks_off=True)) as first, server(ScriptedAnswer(LONG)) as second:
        said = asked(ModelAccess(tier(at(first), at(second))))
    beginning, end = said.split(STARTING_OVER)
    assert beginning
    assert LONG.startswith(beginning.strip())
    assert end.strip() == LONG


def test_half_an_answer_with_nobody_to_go_on_is_an_error(server: Callable[..., ScriptedEndpoint]) -> None:
    with server(ScriptedAnswer(LONG, breaks_off=True)) as only, pytest.raises(AgentError) as error:
        asked(ModelAccess(at(only)))
    assert error.value.code is ErrorCode.MODEL_TRUNCATED


def test_what_a_model_thinks_is_not_heard() -> None:
    with ScriptedEndpoint([ScriptedAnswer("<think>They greet me. I greet back.</think> Hello.")]) as only:
        assert asked(ModelAccess(at(only))).strip() == "Hello."


def test_a_busy_server_is_asked_once_more(server: Callable[..., ScriptedEndpoint]) -> None:
    async def ask(model: TaskModel) -> int:
        assert (await heard(model)).strip() == "Now."
        return model.counters.retries

    with server(ScriptedAnswer("Loading model", status=503), ScriptedAnswer("Now.")) as only:
        assert asked(ModelAccess(at(only)), ask) == 1


@pytest.mark.slow
@pytest.mark.parametrize("text", ["word " * 40_000, " ".join(map(str, range(40_000)))], ids=["a circle", "200 kB"])
def test_an_answer_without_end_is_stopped(server: Callable[..., ScriptedEndpoint], text: str) -> None:
    with server(ScriptedAnswer(text)) as only, pytest.raises(AgentError) as error:
        asked(ModelAccess(at(only)))
    assert error.value.code is ErrorCode.MODEL_MISBEHAVED


def test_an_answer_without_a_line_break_does_not_fill_the_memory(server: Callable[..., ScriptedEndpoint]) -> None:
    with (
        server(ScriptedAnswer(raw="data: " + "x" * 9_000_000)) as only,
        pytest.raises(AgentError, match="can hold") as error,
    ):
        asked(ModelAccess(at(only)))
    assert error.value.code is ErrorCode.MODEL_MISBEHAVED


def test_the_seconds_of_a_task_end_a_slow_answer(server: Callable[..., ScriptedEndpoint]) -> None:
    never = threading.Event()
    with server(ScriptedAnswer("late", waits_for=never)) as only:
        with pytest.raises(AgentError, match=r"longer than the 0\.5 s") as error:
            asked(ModelAccess(tier(at(only), seconds=0.5)))
        never.set()
    assert error.value.code is ErrorCode.BUDGET_EXCEEDED


@pytest.mark.slow
def test_the_seconds_of_endpoints_that_fail_count_too(server: Callable[..., ScriptedEndpoint]) -> None:
    never = threading.Event()

    async def ask(model: TaskModel) -> float:
        await heard(model)
        return model.counters.seconds

    with server(ScriptedAnswer("late", waits_for=never)) as slow, server(ScriptedAnswer("Here.")) as second:
        assert asked(ModelAccess(tier(at(slow, timeout=0.4), at(second))), ask) > 0.4
        never.set()


def test_time_spent_on_tools_is_not_the_models(server: Callable[..., ScriptedEndpoint]) -> None:
    async def with_a_tool(model: TaskModel) -> None:
        await heard(model)
        began = model.counters.elapsed
        await until(lambda: model.counters.elapsed > began + 0.2)
        await heard(model)
        assert model.counters.elapsed - model.counters.seconds > 0.2

    with server(ScriptedAnswer("One."), ScriptedAnswer("Two.")) as only:
        asked(ModelAccess(at(only)), with_a_tool)


def test_the_tokens_of_a_task_end_it(server: Callable[..., ScriptedEndpoint]) -> None:
    async def on_and_on(model: TaskModel) -> None:
        for _ in range(5):
            await heard(model)

    with server(*[ScriptedAnswer("More.")] * 5) as only:
        with pytest.raises(AgentError, match="220 tokens of the 200") as error:
            asked(ModelAccess(tier(at(only), tokens=200)), on_and_on)
        assert len(only.chats) == 2
    assert error.value.code is ErrorCode.BUDGET_EXCEEDED


@pytest.mark.parametrize(("text", "chosen"), [("hello", "quick"), ("explain why the sky is blue", "deep")])
def test_a_hard_request_goes_to_the_deep_model(text: str, chosen: str) -> None:
    with ScriptedEndpoint([ScriptedAnswer("Quick.")]) as quick, ScriptedEndpoint([ScriptedAnswer("Deep.")]) as deep:
        access = ModelAccess(tier(at(quick)), tier(at(deep)))
        assert asked(access, text=text).strip() == f"{chosen.capitalize()}."


def test_without_the_deep_model_the_quick_one_answers() -> None:
    with ScriptedEndpoint([ScriptedAnswer("Quick.")]) as quick:
        access = ModelAccess(tier(at(quick)), tier(NOBODY))
        assert asked(access, text="explain why the sky is blue").strip() == "Quick."


@pytest.mark.parametrize("index_always_zero", [False, True])
def test_several_calls_in_one_streamed_answer_are_all_made(index_always_zero: bool) -> None:
    done = []

    @function_tool
    async def light(colour: str) -> str:
        done.append(colour)
        return "on"

    async def run(model: TaskModel) -> str:
        result = Runner.run_streamed(
            Agent(name="a", model=model, tools=[light]), "go", run_config=RunConfig(tracing_disabled=True)
        )
        async for _ in result.stream_events():
            pass
        return str(result.final_output)

    calls = (("light", {"colour": "red"}), ("light", {"colour": "green"}))
    answers = [ScriptedAnswer(calls=calls), ScriptedAnswer("Both are on.")]
    with ScriptedEndpoint(answers, index_always_zero=index_always_zero) as server:
        assert asked(ModelAccess(at(server)), run).strip() == "Both are on."
    assert sorted(done) == ["green", "red"]


def test_a_reply_in_json_is_heard_while_it_is_written() -> None:
    with ScriptedEndpoint([ScriptedAnswer("One two three.")], json_protocol=True) as server:

        async def pieces(model: TaskModel) -> int:
            return len([event async for event in model.stream(REQUEST) if isinstance(event, ResponseTextDeltaEvent)])

        assert asked(ModelAccess(at(server)), pieces) > 2


def test_a_cut_off_json_answer_is_asked_for_once_more_and_shorter() -> None:
    cut = ScriptedAnswer('{"tool": "mo', finish="length")
    with ScriptedEndpoint([cut, ScriptedAnswer('{"reply": "Short."}')], passes_self_test=False) as server:

        async def ask(model: TaskModel) -> int:
            assert (await heard(model)).strip() == "Short."
            return model.counters.repaired

        assert asked(ModelAccess(at(server)), ask) == 1
        assert "Be much shorter" in server.chats[-1]["messages"][-1]["content"]


def test_a_json_answer_that_repeats_itself_is_asked_for_once_more() -> None:
    loop = ScriptedAnswer('{"tool": "move_head", "args": {"note": "' + "and one more print of it, " * 40)
    with ScriptedEndpoint([loop, ScriptedAnswer('{"reply": "Short."}')], passes_self_test=False) as server:
        assert asked(ModelAccess(at(server))).strip() == "Short."
        assert "repeats itself" in server.chats[-1]["messages"][-1]["content"]


def test_what_follows_a_whole_reply_is_not_heard() -> None:
    with ScriptedEndpoint([ScriptedAnswer('{"reply": "Yes."} and then some')], passes_self_test=False) as server:
        assert asked(ModelAccess(at(server))) == "Yes."


def test_a_lone_half_of_a_character_reaches_nobody() -> None:
    with ScriptedEndpoint([ScriptedAnswer('{"reply": "Ha \\ud83d!"}')], passes_self_test=False) as server:
        reply = asked(ModelAccess(at(server)))
    assert reply.startswith("Ha ")
    assert "\ud83d" not in reply


def test_a_cancel_closes_the_connection(server: Callable[..., ScriptedEndpoint]) -> None:
    later = threading.Event()
    with server(ScriptedAnswer("late", waits_for=later)) as only:

        async def run() -> None:
            access = ModelAccess(at(only))
            task = asyncio.create_task(heard(await access.model()))
            await until(lambda: only.chats)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await access.close()

        asyncio.run(run())
        later.set()
