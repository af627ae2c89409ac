from __future__ import annotations

import pytest

from reachy_agent_ros.tool_generation.need import Need
from reachy_agent_ros.tool_generation.sandbox.enclosure import Tier
from reachy_agent_ros.tool_generation.submission import Review, needs_review
from support.tool_generation.registered_tools import program


@pytest.mark.parametrize("need", [Need.BODY, Need.VOICE, Need.WEB])
def test_what_acts_on_the_world_waits_for_a_person(need: Need) -> None:
    acting = program(needs=frozenset({need, Need.EYES}))
    assert needs_review(acting, Review.ACTING, Tier.NAMESPACES)
    assert not needs_review(acting, Review.NEVER, Tier.NAMESPACES)


@pytest.mark.parametrize("needs", [frozenset(), frozenset({Need.EYES})])
def test_what_only_computes_or_looks_need_not(needs: frozenset[Need]) -> None:
    assert not needs_review(program(needs=needs), Review.ACTING, Tier.NAMESPACES)


@pytest.mark.parametrize("tier", Tier)
def test_a_person_may_want_to_see_everything(tier: Tier) -> None:
    assert needs_review(program(), Review.ALWAYS, tier)


@pytest.mark.parametrize("review", Review)
def test_in_the_lesser_box_everything_waits(review: Review) -> None:
    assert needs_review(program(), review, Tier.LANDLOCK)
