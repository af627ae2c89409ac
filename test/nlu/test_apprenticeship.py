import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from reachy_agent_ros.nlu.apprenticeship import MOST_ACTIONS, MOST_WORDS, Apprenticeship
from reachy_agent_ros.nlu.decision import Action
from reachy_agent_ros.nlu.learned import LearnedPhrases
from reachy_agent_ros.nlu.reflexes import Reflexes
from support.agent.world import catalogue

JOY = Action("express_emotion", {"emotion": "joy"})
SADNESS = Action("express_emotion", {"emotion": "sadness"})
ERASE = Action("erase", {})


def learned(path: Path, *lessons: tuple[str, Sequence[Action]], confirmed: bool = False) -> list[str]:
    """The phrases known after a model, or a person, chose these actions for these words."""
    phrases = LearnedPhrases(path / "phrases.db")

    async def teach() -> None:
        apprenticeship = Apprenticeship(Reflexes(phrases))
        for text, actions in lessons:
            if confirmed:
                apprenticeship.confirmed(text, actions)
            else:
                apprenticeship.observed(text, actions, catalogue())
        await apprenticeship.close()

    asyncio.run(teach())
    return [phrase.phrase for phrase in phrases.all()]


def test_what_a_person_chose_counts_at_once(tmp_path: Path) -> None:
    assert learned(tmp_path, ("do the flamingo", [JOY]), confirmed=True) == ["do the flamingo"]


def test_what_a_model_chose_counts_the_second_time(tmp_path: Path) -> None:
    assert learned(tmp_path, ("do the flamingo", [JOY])) == []
    assert learned(tmp_path, ("do the flamingo", [JOY]), ("Do the  Flamingo", [JOY])) == ["do the flamingo"]


def test_a_model_of_two_minds_teaches_nothing(tmp_path: Path) -> None:
    assert learned(tmp_path, ("do the flamingo", [JOY]), ("do the flamingo", [SADNESS])) == []


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
def test_what_is_no_phrase_or_no_harmless_deed_is_not_learned(tmp_path: Path, text: str, actions: list[Action]) -> None:
    assert learned(tmp_path, (text, actions), (text, actions)) == []


def test_what_cannot_be_stored_is_no_failure(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "phrases.db").mkdir()
    phrases = LearnedPhrases(tmp_path / "phrases.db")

    async def teach() -> None:
        apprenticeship = Apprenticeship(Reflexes(phrases))
        apprenticeship.confirmed("do the flamingo", [JOY])
        await apprenticeship.close()

    asyncio.run(teach())
    assert "A phrase was not learned" in caplog.text
