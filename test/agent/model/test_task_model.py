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
    """Returns the text chunks of the reply in streaming order."""
    return "".join([event.delta async for event in model.stream(REQUEST) if isinstance(event, ResponseTextDeltaEvent)])


def asked(access: ModelAccess, ask: Callable[[TaskModel], Coroutine[Any, Any, Any]] = heard, text: str = "") -> Any:
    async def run() -> Any:
        try:
            return await ask(await access.model(text))
        finally:
            await access.close()

    return asyncio.run(run())


def test_complete_and_streamed_answers_are_identical(server: Callable[..., ScriptedEndpoint]) -> None:
    async def whole(model: TaskModel) -> ModelResponse:
        return await model.answer(REQUEST)

    with server(ScriptedAnswer("Hello Kim."), ScriptedAnswer("Hello Kim.")) as first:
        assert asked(ModelAccess(at(first))).strip() == "Hello Kim."
        response = asked(ModelAccess(at(first)), whole)
    assert response.output[0].content[0].text.strip() == "Hello Kim."
    assert (response.usage.input_tokens, response.usage.output_tokens) == (100, 10)


def test_counts_model_requests_and_tokens(server: Callable[..., ScriptedEndpoint]) -> None:
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


def test_unreachable_endpoint_is_skipped_and_paused(server: Callable[..., ScriptedEndpoint]) -> None:
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
def test_next_endpoint_answers_if_first_endpoint_fails_before_output(
    server: Callable[..., ScriptedEndpoint], bad: ScriptedAnswer
) -> None:
    with server(bad) as first, server(ScriptedAnswer("I can help.")) as second:
        assert asked(ModelAccess(tier(at(first), at(second)))).strip() == "I can help."


def test_reply_announces_restart_after_interrupted_answer(server: Callable[..., ScriptedEndpoint]) -> None:
    with server(ScriptedAnswer(LONG, breaks_off=True)) as first, server(ScriptedAnswer(LONG)) as second:
        said = asked(ModelAccess(tier(at(first), at(second))))
    beginning, end = said.split(STARTING_OVER)
    assert beginning
    assert LONG.startswith(beginning.strip())
    assert end.strip() == LONG


def test_interrupted_answer_without_fallback_raises_error(server: Callable[..., ScriptedEndpoint]) -> None:
    with server(ScriptedAnswer(LONG, breaks_off=True)) as only, pytest.raises(AgentError) as error:
        asked(ModelAccess(at(only)))
    assert error.value.code is ErrorCode.MODEL_TRUNCATED


def test_reasoning_is_not_spoken() -> None:
    with ScriptedEndpoint([ScriptedAnswer("<think>They greet me. I greet back.</think> Hello.")]) as only:
        assert asked(ModelAccess(at(only))).strip() == "Hello."


def test_request_to_busy_server_is_retried_once(server: Callable[..., ScriptedEndpoint]) -> None:
    async def ask(model: TaskModel) -> int:
        assert (await heard(model)).strip() == "Now."
        return model.counters.retries

    with server(ScriptedAnswer("Loading model", status=503), ScriptedAnswer("Now.")) as only:
        assert asked(ModelAccess(at(only)), ask) == 1


@pytest.mark.slow
@pytest.mark.parametrize("text", ["word " * 40_000, " ".join(map(str, range(40_000)))], ids=["a circle", "200 kB"])
def test_endless_model_answer_is_stopped(server: Callable[..., ScriptedEndpoint], text: str) -> None:
    with server(ScriptedAnswer(text)) as only, pytest.raises(AgentError) as error:
        asked(ModelAccess(at(only)))
    assert error.value.code is ErrorCode.MODEL_MISBEHAVED


def test_endless_model_answer_without_line_breaks_is_stopped(server: Callable[..., ScriptedEndpoint]) -> None:
    with (
        server(ScriptedAnswer(raw="data: " + "x" * 9_000_000)) as only,
        pytest.raises(AgentError, match="an answer larger than") as error,
    ):
        asked(ModelAccess(at(only)))
    assert error.value.code is ErrorCode.MODEL_MISBEHAVED


def test_time_budget_ends_slow_answer(server: Callable[..., ScriptedEndpoint]) -> None:
    never = threading.Event()
    with server(ScriptedAnswer("late", waits_for=never)) as only:
        with pytest.raises(AgentError, match=r"exceeded the time limit of 0\.5 s") as error:
            asked(ModelAccess(tier(at(only), seconds=0.5)))
        never.set()
    assert error.value.code is ErrorCode.BUDGET_EXCEEDED


@pytest.mark.slow
def test_time_of_failed_endpoints_counts_toward_budget(server: Callable[..., ScriptedEndpoint]) -> None:
    never = threading.Event()

    async def ask(model: TaskModel) -> float:
        await heard(model)
        return model.counters.seconds

    with server(ScriptedAnswer("late", waits_for=never)) as slow, server(ScriptedAnswer("Here.")) as second:
        assert asked(ModelAccess(tier(at(slow, timeout=0.4), at(second))), ask) > 0.4
        never.set()


def test_time_of_tools_does_not_count_toward_budget(server: Callable[..., ScriptedEndpoint]) -> None:
    async def with_a_tool(model: TaskModel) -> None:
        await heard(model)
        began = model.counters.elapsed
        await until(lambda: model.counters.elapsed > began + 0.2)
        await heard(model)
        assert model.counters.elapsed - model.counters.seconds > 0.2

    with server(ScriptedAnswer("One."), ScriptedAnswer("Two.")) as only:
        asked(ModelAccess(at(only)), with_a_tool)


def test_token_budget_ends_task(server: Callable[..., ScriptedEndpoint]) -> None:
    async def on_and_on(model: TaskModel) -> None:
        for _ in range(5):
            await heard(model)

    with server(*[ScriptedAnswer("More.")] * 5) as only:
        with pytest.raises(AgentError, match="used 220 tokens, but its limit is 200") as error:
            asked(ModelAccess(tier(at(only), tokens=200)), on_and_on)
        assert len(only.chats) == 2
    assert error.value.code is ErrorCode.BUDGET_EXCEEDED


@pytest.mark.parametrize(("text", "chosen"), [("hello", "quick"), ("explain why the sky is blue", "deep")])
def test_difficult_request_uses_deep_model(text: str, chosen: str) -> None:
    with ScriptedEndpoint([ScriptedAnswer("Quick.")]) as quick, ScriptedEndpoint([ScriptedAnswer("Deep.")]) as deep:
        access = ModelAccess(tier(at(quick)), tier(at(deep)))
        assert asked(access, text=text).strip() == f"{chosen.capitalize()}."


def test_agent_with_model_tier_uses_model_of_tier_and_shared_task_budget() -> None:
    with ScriptedEndpoint([ScriptedAnswer("Quick.")]) as quick, ScriptedEndpoint([ScriptedAnswer("Deep.")]) as deep:
        access = ModelAccess(tier(at(quick)), tier(at(deep)))

        async def both(model: TaskModel) -> tuple[str, str, int]:
            return (await heard(model)).strip(), (await heard(model.of_tier("deep"))).strip(), model.counters.calls

        assert asked(access, both, "hello") == ("Quick.", "Deep.", 2)


def test_missing_model_tier_is_replaced_by_other_tier() -> None:
    with ScriptedEndpoint([ScriptedAnswer("Quick.")]) as quick:
        access = ModelAccess(tier(at(quick)))
        assert asked(access, lambda model: heard(model.of_tier("deep"))).strip() == "Quick."


def test_quick_model_answers_when_deep_model_fails() -> None:
    with ScriptedEndpoint([ScriptedAnswer("Quick.")]) as quick:
        access = ModelAccess(tier(at(quick)), tier(NOBODY))
        assert asked(access, text="explain why the sky is blue").strip() == "Quick."


@pytest.mark.parametrize("index_always_zero", [False, True])
def test_all_tool_calls_in_streamed_answer_are_executed(index_always_zero: bool) -> None:
    done = []

    @function_tool
    async def light(color: str) -> str:
        done.append(color)
        return "on"

    async def run(model: TaskModel) -> str:
        result = Runner.run_streamed(
            Agent(name="a", model=model, tools=[light]), "go", run_config=RunConfig(tracing_disabled=True)
        )
        async for _ in result.stream_events():
            pass
        return str(result.final_output)

    calls = (("light", {"color": "red"}), ("light", {"color": "green"}))
    answers = [ScriptedAnswer(calls=calls), ScriptedAnswer("Both are on.")]
    with ScriptedEndpoint(answers, index_always_zero=index_always_zero) as server:
        assert asked(ModelAccess(at(server)), run).strip() == "Both are on."
    assert sorted(done) == ["green", "red"]


def test_json_reply_is_streamed() -> None:
    with ScriptedEndpoint([ScriptedAnswer("One two three.")], json_protocol=True) as server:

        async def pieces(model: TaskModel) -> int:
            return len([event async for event in model.stream(REQUEST) if isinstance(event, ResponseTextDeltaEvent)])

        assert asked(ModelAccess(at(server)), pieces) > 2


def test_requests_shorter_answer_after_truncated_json() -> None:
    cut = ScriptedAnswer('{"tool": "mo', finish="length")
    with ScriptedEndpoint([cut, ScriptedAnswer('{"reply": "Short."}')], passes_self_test=False) as server:

        async def ask(model: TaskModel) -> int:
            assert (await heard(model)).strip() == "Short."
            return model.counters.repaired

        assert asked(ModelAccess(at(server)), ask) == 1
        assert "Be much shorter" in server.chats[-1]["messages"][-1]["content"]


def test_repetitive_json_answer_is_requested_again() -> None:
    loop = ScriptedAnswer('{"tool": "move_head", "args": {"note": "' + "and one more print of it, " * 40)
    with ScriptedEndpoint([loop, ScriptedAnswer('{"reply": "Short."}')], passes_self_test=False) as server:
        assert asked(ModelAccess(at(server))).strip() == "Short."
        assert "repeats itself" in server.chats[-1]["messages"][-1]["content"]


def test_text_after_complete_json_reply_is_not_spoken() -> None:
    with ScriptedEndpoint([ScriptedAnswer('{"reply": "Yes."} and then some')], passes_self_test=False) as server:
        assert asked(ModelAccess(at(server))) == "Yes."


def test_lone_surrogate_is_replaced() -> None:
    with ScriptedEndpoint([ScriptedAnswer('{"reply": "Ha \\ud83d!"}')], passes_self_test=False) as server:
        reply = asked(ModelAccess(at(server)))
    assert reply.startswith("Ha ")
    assert "\ud83d" not in reply


def test_cancellation_closes_connection_to_model_server(server: Callable[..., ScriptedEndpoint]) -> None:
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
