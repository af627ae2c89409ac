import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.permissions.grants import Grant, Grants
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode


def test_grant_covers_only_its_tools_in_its_conversation() -> None:
    grants = Grants()
    grants.add(Grant(("move_head", "look_at*"), session_id="one"))
    assert grants.use("look_at_image", "one", "a rule") is not None
    assert grants.use("look_at_image", "two", "a rule") is None
    assert grants.use("dance", "one", "a rule") is None


def test_grant_for_one_permission_rule_does_not_cover_another_rule() -> None:
    grants = Grants()
    grants.add(Grant(("dance",), rule="dance: confirm"))
    assert grants.use("dance", "one", "dance: confirm") is not None
    assert grants.use("dance", "one", "* (generated): confirm") is None


def test_grant_expires_at_deadline() -> None:
    grants = Grants()
    over = Grant(("dance",), deadline=Deadline(0.0))
    with pytest.raises(AgentError, match="an end in the future"):
        grants.add(over)
    grants.add(Grant(("dance",), deadline=Deadline(1000.0)))
    assert grants.use("dance", "one", "") is not None
    assert not over.covers("dance", "one", "")


def test_revoked_grant_covers_nothing() -> None:
    told: list[list[Grant]] = []
    grants = Grants(told.append)
    grant = Grant(("dance",))
    grants.add(grant)
    assert grants.revoke(grant.grant_id) == grant
    assert grants.use("dance", "one", "") is None
    assert told == [[grant], []]
    with pytest.raises(AgentError) as error:
        grants.revoke(uuid.uuid4())
    assert error.value.code is ErrorCode.NOT_FOUND


@pytest.mark.parametrize("grant", [Grant(()), Grant(("dance",), uses=0), Grant(("dance",), uses=-1)])
def test_rejects_grant_without_tools_or_uses(grant: Grant) -> None:
    grants = Grants()
    with pytest.raises(AgentError) as error:
        grants.add(grant)
    assert error.value.code is ErrorCode.INVALID_ARGUMENTS
    assert grants.live() == []


@given(st.lists(st.integers(1, 5), min_size=1, max_size=4))
def test_grants_permit_exactly_their_number_of_uses(uses: list[int]) -> None:
    grants = Grants()
    for one in uses:
        grants.add(Grant(("dance",), uses=one))
    made = 0
    while grants.use("dance", "one", ""):
        made += 1
    assert made == sum(uses)
    assert grants.live() == []


def test_grant_description_states_scope() -> None:
    assert str(Grant(("dance", "wave"))) == "dance, wave"
    told = str(Grant(("dance",), "one", deadline=Deadline(1000.4), uses=3))
    assert told == "dance in the conversation 'one' for another 1000 s 3 times"


def test_lookup_of_grant_does_not_count_as_use() -> None:
    told: list[list[Grant]] = []
    grants = Grants(told.append)
    grant = Grant(("dance",), uses=1)
    grants.add(grant)
    assert grants.covering("dance", "one", "") == grants.covering("dance", "one", "") == grant
    assert grants.covering("wave", "one", "") is None
    assert grants.use("dance", "one", "") == grant
    assert told == [[grant], []]


def test_rejects_revocation_of_used_up_grant() -> None:
    grants = Grants()
    grant = Grant(("dance",), uses=1)
    grants.add(grant)
    grants.use("dance", "one", "")
    with pytest.raises(AgentError) as error:
        grants.revoke(grant.grant_id)
    assert error.value.code is ErrorCode.NOT_FOUND
