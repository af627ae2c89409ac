import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.model.access import HARD, ModelAccess, difficulty
from reachy_agent_ros.agent.model.endpoint import Endpoint, EndpointTier
from reachy_agent_ros.testing.scripted_endpoint import ScriptedEndpoint

EASY = [
    "hello there",
    "what is your name?",
    "how are you today?",
    "look at the door and tell me what you see",
    "what time is it?",
    "wie spät ist es?",
    "",
]
DEMANDING = [
    "why is the sky blue?",
    "explain how your head moves",
    "write a function that reverses a list",
    "compare the two cups on the desk",
    "look left, then right, then take a photo, then tell me whether it has changed",
    "if somebody comes in, wave, unless it is me, and then say what 17 times 23 is",
    "plan a surprise for Kim's birthday",
]


@pytest.mark.parametrize("text", EASY)
def test_small_talk_uses_quick_model(text: str) -> None:
    assert difficulty(text) < HARD


@pytest.mark.parametrize("text", DEMANDING)
def test_requests_for_explanation_or_plan_or_code_use_deep_model(text: str) -> None:
    assert difficulty(text) >= HARD


@given(st.text(), st.text())
def test_longer_request_is_never_rated_less_difficult(text: str, more: str) -> None:
    assert 0.0 <= difficulty(text) <= difficulty(f"{text} {more}") <= 1.0


@pytest.mark.parametrize("unit", ["1", "1.", "1 ", "a"])
def test_difficulty_of_long_request_is_rated_in_linear_time(unit: str) -> None:
    difficulty(unit * 200_000)  # reaches the time limit of the test if each digit starts another search


NOBODY = Endpoint("http://127.0.0.1:9/v1")


def test_model_access_reports_problem_only_if_no_endpoint_responds() -> None:
    with ScriptedEndpoint() as server:
        access = ModelAccess(EndpointTier((NOBODY, Endpoint(server.url, "scripted"))))
        assert not access.checked
        asyncio.run(access.check())
        assert (access.checked, access.problem) == (True, "")
    alone = ModelAccess(NOBODY)
    asyncio.run(alone.check())
    assert (alone.checked, "does not respond" in alone.problem) == (True, True)


def test_model_access_without_endpoint_needs_no_check() -> None:
    access = ModelAccess(Endpoint())
    assert (access.checked, access.problem) == (True, "")
