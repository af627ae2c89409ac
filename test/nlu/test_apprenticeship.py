import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from reachy_agent_ros.core.embedding import SentenceEmbedder
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.nlu.apprenticeship import MOST_ACTIONS, MOST_WORDS, Apprenticeship
from reachy_agent_ros.nlu.decision import Action, DecisionKind
from reachy_agent_ros.nlu.intent_recognizer import IntentRecognizer
from reachy_agent_ros.nlu.learned import LearnedPhrases
from support.agent.world import catalogue


@pytest.fixture
def learned(tmp_path: Path) -> LearnedPhrases:
    return LearnedPhrases(tmp_path / "phrases.db")


def test_rules_work_before_warm_up_and_use_current_catalog(learned: LearnedPhrases) -> None:
    reflexes = IntentRecognizer(learned)
    tools = catalogue()
    assert reflexes.decide("show joy", tools).actions == (Action("express_emotion", {"emotion": "joy"}),)
    without = tuple(tool for tool in tools if tool.name != "express_emotion")
    assert reflexes.decide("show joy", without).kind is not DecisionKind.ACT
    assert reflexes.decide("show joy", tools).kind is DecisionKind.ACT


def test_learned_phrase_works_after_warm_up(learned: LearnedPhrases) -> None:
    reflexes = IntentRecognizer(learned, SentenceEmbedder)
    tools = catalogue()
    assert reflexes.decide("do the flamingo", tools).kind is DecisionKind.DEFER
    reflexes.warm_up(tools)
    reflexes.learn("do the flamingo", [Action("express_emotion", {"emotion": "joy"})])
    assert reflexes.decide("do the flamingo", tools).actions == (Action("express_emotion", {"emotion": "joy"}),)


def test_equal_catalog_keeps_free_phrasing_loaded(
    learned: LearnedPhrases,
) -> None:
    reflexes = IntentRecognizer(learned, SentenceEmbedder)
    reflexes.warm_up(catalogue())
    reflexes.learn("do the flamingo", [Action("express_emotion", {"emotion": "joy"})])
    for tools in (catalogue(), tuple(catalogue())):
        assert reflexes.decide("do the flamingo", tools).actions == (Action("express_emotion", {"emotion": "joy"}),)


def test_rules_work_without_model_weights(learned: LearnedPhrases) -> None:
    def missing() -> SentenceEmbedder:
        raise AgentError(ErrorCode.MODEL_UNAVAILABLE, "The weights are not there.")

    reflexes = IntentRecognizer(learned, missing)
    with pytest.raises(AgentError, match="not there"):
        reflexes.warm_up(catalogue())
    assert reflexes.decide("look left", catalogue()).kind is DecisionKind.ACT


def test_warm_up_without_embedder_has_no_effect(learned: LearnedPhrases) -> None:
    reflexes = IntentRecognizer(learned)
    reflexes.warm_up(catalogue())
    assert reflexes.decide("look left", catalogue()).kind is DecisionKind.ACT


JOY = Action("express_emotion", {"emotion": "joy"})
SADNESS = Action("express_emotion", {"emotion": "sadness"})
ERASE = Action("erase", {})


def learned_after(path: Path, *lessons: tuple[str, Sequence[Action]], confirmed: bool = False) -> list[str]:
    """Returns the phrases that are learned after a model or a user has chosen `actions` for a text."""
    phrases = LearnedPhrases(path / "phrases.db")

    async def teach() -> None:
        apprenticeship = Apprenticeship(IntentRecognizer(phrases))
        for text, actions in lessons:
            if confirmed:
                apprenticeship.learn(text, actions)
            else:
                apprenticeship.observed(text, actions, catalogue())
        await apprenticeship.close()

    asyncio.run(teach())
    return [phrase.phrase for phrase in phrases.all()]


def test_phrase_from_person_is_learned_immediately(tmp_path: Path) -> None:
    assert learned_after(tmp_path, ("do the flamingo", [JOY]), confirmed=True) == ["do the flamingo"]


def test_phrase_from_model_is_learned_at_second_occurrence(tmp_path: Path) -> None:
    assert learned_after(tmp_path, ("do the flamingo", [JOY])) == []
    assert learned_after(tmp_path, ("do the flamingo", [JOY]), ("Do the  Flamingo", [JOY])) == ["do the flamingo"]


def test_phrase_with_inconsistent_model_choices_is_not_learned(tmp_path: Path) -> None:
    assert learned_after(tmp_path, ("do the flamingo", [JOY]), ("do the flamingo", [SADNESS])) == []


@pytest.mark.parametrize(
    ("text", "actions"),
    [
        ("tidy up", [ERASE]),
        ("do the flamingo", []),
        ("do the flamingo", [JOY] * (MOST_ACTIONS + 1)),
        ("word " * (MOST_WORDS + 1), [JOY]),
        ("do the flamingo", [Action("gone", {})]),
    ],
    ids=["guarded", "nothing", "a task", "a speech", "no such tool"],
)
def test_long_or_irreversible_action_sequence_is_not_learned(tmp_path: Path, text: str, actions: list[Action]) -> None:
    assert learned_after(tmp_path, (text, actions), (text, actions)) == []


def test_storage_failure_during_learning_is_only_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "phrases.db").mkdir()
    phrases = LearnedPhrases(tmp_path / "phrases.db")

    async def teach() -> None:
        apprenticeship = Apprenticeship(IntentRecognizer(phrases))
        apprenticeship.learn("do the flamingo", [JOY])
        await apprenticeship.close()

    asyncio.run(teach())
    assert "A phrase was not learned" in caplog.text
