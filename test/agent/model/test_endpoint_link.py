from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.model.endpoint_link import FIRST_REST, LONGEST_REST, EndpointHealth


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
def test_retry_delay_has_bounded_jitter(failures: int) -> None:
    health = EndpointHealth(lambda: 0.0)
    for _ in range(failures):
        health.failed()
    assert 0.5 * FIRST_REST <= health.rest <= 1.5 * LONGEST_REST
