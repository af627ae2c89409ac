import pytest

from reachy_agent_ros.learning.environments.specification import (
    JUDGED,
    MOST_EPISODES,
    SEEDS,
    SHOWN,
    TESTED,
    is_held_out,
    seeds_of_test,
)


def test_demonstrations_of_largest_seed_are_not_held_out() -> None:
    first = SHOWN + MOST_EPISODES * (SEEDS - 1)
    assert not any(is_held_out(seed) for seed in range(first, first + MOST_EPISODES))


@pytest.mark.parametrize("seed", [0, 1, SEEDS - 1])
def test_episodes_of_tests_and_validations_are_held_out_and_do_not_overlap(seed: int) -> None:
    tested = set(seeds_of_test(seed, MOST_EPISODES))
    validated = set(range(JUDGED, JUDGED + MOST_EPISODES))
    assert all(is_held_out(one) for one in tested | validated)
    assert tested.isdisjoint(validated)
    assert tested.isdisjoint(seeds_of_test((seed + 1) % SEEDS, MOST_EPISODES))
    assert min(tested) >= TESTED
