"""Forgets a person: what they gave, and what was learned of their words."""

from __future__ import annotations

from reachy_agent_ros.learning.correction.policy_store import PolicyStore
from reachy_agent_ros.learning.feedback.store import FeedbackStore
from reachy_agent_ros.learning.reward.given_labels import given_labels
from reachy_agent_ros.learning.reward.personalisation import skill_of
from reachy_agent_ros.learning.reward.retraining import SKILL


def forget_person(store: FeedbackStore, policies: PolicyStore, person: str) -> int:
    """Deletes a person's judgements, their rewards, and every model that holds the vectors of their words.

    The model that serves everybody is one of these, if they gave labels. It is fitted anew to those of the others once
    enough of them are there, at the robot's next start or with the next labels.

    Args:
        store: Of the judgements.
        policies: Of the models.
        person: As in their judgements.

    Returns:
        Judgements that are gone.

    Raises:
        AgentError: `STORAGE_FAILED`; told again, it goes on with what is left.
    """
    own = skill_of(person)
    if given_labels(store, person) or policies.standing(own).last:
        policies.forget(SKILL)
    gone = store.forget(person)
    policies.forget(own)
    return gone
