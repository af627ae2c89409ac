from pathlib import Path

import pytest

from reachy_agent_ros.core.embedding import SentenceEmbedder
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.nlu.decision import Action, Kind
from reachy_agent_ros.nlu.learned import LearnedPhrases
from reachy_agent_ros.nlu.reflexes import Reflexes
from support.agent.world import catalogue


@pytest.fixture
def learned(tmp_path: Path) -> LearnedPhrases:
    return LearnedPhrases(tmp_path / "phrases.db")


def test_rules_decide_at_once_and_follow_the_catalogue(learned: LearnedPhrases) -> None:
    reflexes = Reflexes(learned)
    tools = catalogue()
    assert reflexes.decide("show joy", tools).actions == (Action("express_emotion", {"emotion": "joy"}),)
    without = tuple(tool for tool in tools if tool.name != "express_emotion")
    assert reflexes.decide("show joy", without).kind is not Kind.ACT
    assert reflexes.decide("show joy", tools).kind is Kind.ACT


def test_phrases_that_were_taught_are_obeyed_once_it_is_warm(learned: LearnedPhrases) -> None:
    reflexes = Reflexes(learned, SentenceEmbedder)
    tools = catalogue()
    assert reflexes.decide("do the flamingo", tools).kind is Kind.DEFER
    reflexes.warm_up(tools)
    reflexes.learn("do the flamingo", [Action("express_emotion", {"emotion": "joy"})])
    assert reflexes.decide("do the flamingo", tools).actions == (Action("express_emotion", {"emotion": "joy"}),)


def test_free_phrases_are_understood_by_a_first_turn_after_it_is_warm_and_with_a_new_list_of_the_same_tools(
    learned: LearnedPhrases,
) -> None:
    reflexes = Reflexes(learned, SentenceEmbedder)
    reflexes.warm_up(catalogue())
    reflexes.learn("do the flamingo", [Action("express_emotion", {"emotion": "joy"})])
    for tools in (catalogue(), tuple(catalogue())):
        assert reflexes.decide("do the flamingo", tools).actions == (Action("express_emotion", {"emotion": "joy"}),)


def test_without_weights_rules_still_decide(learned: LearnedPhrases) -> None:
    def missing() -> SentenceEmbedder:
        raise AgentError(ErrorCode.MODEL_UNAVAILABLE, "The weights are not there.")

    reflexes = Reflexes(learned, missing)
    with pytest.raises(AgentError, match="not there"):
        reflexes.warm_up(catalogue())
    assert reflexes.decide("look left", catalogue()).kind is Kind.ACT


def test_without_an_embedder_there_is_nothing_to_warm_up(learned: LearnedPhrases) -> None:
    reflexes = Reflexes(learned)
    reflexes.warm_up(catalogue())
    assert reflexes.decide("look left", catalogue()).kind is Kind.ACT
