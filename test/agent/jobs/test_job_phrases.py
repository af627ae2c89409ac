from typing import get_args

import pytest

from reachy_agent_ros.agent.jobs.job_phrases import ErrorName, JobError, job_phrases, named_things
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.nlu.templates.languages import language_codes
from reachy_agent_ros.vision.desk_detector import LABELS


@pytest.mark.parametrize("language", language_codes())
def test_every_language_has_all_errors_and_names_the_same_things(language: str) -> None:
    phrases = job_phrases(language)
    assert set(phrases.errors) == set(get_args(ErrorName))
    assert set(phrases.things) == set(job_phrases("en").things) > {*LABELS, "face"}


@pytest.mark.parametrize("language", language_codes())
@pytest.mark.parametrize("name", get_args(ErrorName))
def test_error_has_message_in_every_language(language: str, name: ErrorName) -> None:
    message = JobError(name, {"most": 20, "items": "I am watching."}).in_language(language).message
    assert message.endswith(".")
    assert "{" not in message


def test_error_keeps_its_code_in_another_language() -> None:
    error = JobError("too_many", {"most": 20}, ErrorCode.BUDGET_EXCEEDED).in_language("it")
    assert error.code is ErrorCode.BUDGET_EXCEEDED
    assert error.message.startswith("Sto già facendo 20 cose")


def test_names_each_kind_of_thing_once() -> None:
    assert named_things(["duck", "apple", "duck"], "en") == "a duck and an apple"
    assert named_things(["duck"], "de") == "eine Ente"


def test_names_unknown_thing_as_the_detector_does() -> None:
    assert named_things(["traffic cone"], "fr") == "traffic cone"


def test_rejects_unknown_language() -> None:
    with pytest.raises(AgentError, match="Unknown language 'xx': expected one of de, en"):
        job_phrases("xx")
