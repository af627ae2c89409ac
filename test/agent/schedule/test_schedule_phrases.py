from typing import get_args

import pytest

from reachy_agent_ros.agent.schedule.schedule_phrases import ErrorName, ScheduleError, schedule_phrases
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.nlu.templates.languages import language_codes

VALUES = {"most": 200, "shortest": 1.0, "longest": 60.0, "items": "timer"}


@pytest.mark.parametrize("language", language_codes())
def test_language_has_every_sentence(language: str) -> None:
    phrases = schedule_phrases(language)
    assert set(phrases.errors) == set(get_args(ErrorName))
    assert set(phrases.kinds) == set(phrases.set) == set(phrases.due) == {"timer", "alarm", "reminder"}
    assert set(phrases.none) == {*phrases.kinds, "any"}


@pytest.mark.parametrize("language", language_codes())
@pytest.mark.parametrize("name", get_args(ErrorName))
def test_error_has_message_in_every_language(language: str, name: ErrorName) -> None:
    message = ScheduleError(name, VALUES).in_language(language).message
    assert message.endswith((".", "?"))
    assert "{" not in message


def test_error_keeps_its_code_in_another_language() -> None:
    error = ScheduleError("too_many", {"most": 3}, ErrorCode.BUDGET_EXCEEDED).in_language("de")
    assert error.code is ErrorCode.BUDGET_EXCEEDED
    assert error.message.startswith("Ich merke mir schon 3 Timer")


def test_rejects_unknown_language() -> None:
    with pytest.raises(AgentError, match="Unknown language 'xx': expected one of de, en"):
        schedule_phrases("xx")
