import asyncio

from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.model.endpoint import Endpoint
from reachy_agent_ros.agent.model.endpoint_link import FIRST_REST, LONGEST_REST, NOT_ASKED, EndpointHealth, EndpointLink
from reachy_agent_ros.agent.model.self_tests import SelfTests
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.testing.scripted_endpoint import ScriptedEndpoint


class World:
    now = 0.0

    def health(self, chance: float = 1.0) -> EndpointHealth:
        return EndpointHealth(lambda: self.now, lambda _low, _high: chance)


def test_retry_delay_grows_until_endpoint_responds() -> None:
    health = World().health()
    rests = []
    for _ in range(8):
        health.failed()
        rests.append(health.rest)
    assert rests == [FIRST_REST, 4.0, 8.0, 16.0, 32.0, LONGEST_REST, LONGEST_REST, LONGEST_REST]
    health.succeeded()
    assert health.rest == 0.0


def test_endpoint_is_retried_after_delay() -> None:
    world = World()
    health = world.health()
    health.failed()
    world.now = FIRST_REST
    assert health.rest == 0.0


@given(st.integers(1, 5000))
def test_retry_delay_of_endpoint_has_bounded_jitter(failures: int) -> None:
    health = EndpointHealth(lambda: 0.0)
    for _ in range(failures):
        health.failed()
    assert 0.5 * FIRST_REST <= health.rest <= 1.5 * LONGEST_REST


def test_endpoint_check_reports_server_that_does_not_respond() -> None:
    link = EndpointLink(Endpoint("http://127.0.0.1:9/v1"), SelfTests())
    assert link.silence == ""
    assert not asyncio.run(link.check())
    assert link.silence.startswith("The language model's server at http://127.0.0.1:9/v1 does not respond (")
    assert link.silence.endswith("). Start it, or set model_endpoint to another server.")


def test_endpoint_check_does_not_use_the_model() -> None:
    with ScriptedEndpoint() as server:
        link = EndpointLink(Endpoint(server.url, "scripted"), SelfTests())
        assert asyncio.run(link.check())
        assert (link.silence, link.status) == ("", NOT_ASKED)
        assert not server.self_tests


def test_endpoint_check_detects_that_server_is_back() -> None:
    with ScriptedEndpoint() as server:
        link = EndpointLink(Endpoint(server.url, "scripted"), SelfTests())
        link.failed(AgentError(ErrorCode.MODEL_UNAVAILABLE, "It does not respond."))
        assert link.health.rest > 0.0
        assert asyncio.run(link.check())
    assert (link.silence, link.health.rest) == ("", 0.0)


def test_invalid_model_output_does_not_mark_endpoint_as_unresponsive() -> None:
    link = EndpointLink(Endpoint("http://127.0.0.1:9/v1"), SelfTests())
    link.failed(AgentError(ErrorCode.MODEL_MISBEHAVED, "It got confused."))
    assert link.silence == ""
