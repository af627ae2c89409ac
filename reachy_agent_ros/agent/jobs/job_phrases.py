"""Sentences about background jobs, from the file `jobs.yaml` of each language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, partial
from typing import Any, Literal

from reachy_agent_ros.agent.toolbox.spoken_tool import SpokenError, read_phrases
from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.nlu.times.time_words import time_words
from reachy_agent_ros.storage.strict_yaml import StrictForm

_LONGEST_LABEL = 60
"""Maximum length of the name of a thing that the robot speaks, characters. A detector may read it in the picture."""

ErrorName = Literal["too_many", "no_job", "unclear", "cannot_pause"]


class WatchPhrases(StrictForm):
    """Format strings for sentences about watching.

    Attributes:
        confirmed: Confirmation that the robot watches for anything.
        confirmed_thing: Confirmation that the robot watches for a `thing`.
        doing: What the robot does.
        doing_thing: What the robot does, with the `thing`.
        sees: `things` that are in view.
        sees_nothing: Sentence if nothing is in view.
        came: Announcement of `things`.
        nothing_came: Announcement that nothing has come within a `duration`.
        failed: Announcement of a failure, with its `reason`.
        none: Reply if the robot is not watching.
    """

    confirmed: str
    confirmed_thing: str
    doing: str
    doing_thing: str
    sees: str
    sees_nothing: str
    came: str
    nothing_came: str
    failed: str
    none: str


class JobPhrases(StrictForm):
    """Format strings for sentences about background jobs.

    Attributes:
        none: Reply if there is no job.
        canceled: Confirmation that a job was canceled.
        paused: Confirmation that a job was paused, and the addition to what it does.
        resumed: Confirmation that a job continues.
        waiting: Addition to what a job does if it has not begun.
        interrupted: Announcement that a restart has ended a job.
        errors: Reasons why a request cannot be carried out.
        watch: Sentences about watching.
        things: Names of things with their articles, by the label of the detector.
    """

    none: str
    canceled: str
    paused: str
    resumed: str
    waiting: str
    interrupted: str
    errors: dict[ErrorName, str]
    watch: WatchPhrases
    things: dict[str, str]


@cache
def job_phrases(language: str) -> JobPhrases:
    """Loads the sentences of a language.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: the language is unknown, or its file is invalid.
    """
    return read_phrases(language, "jobs.yaml", JobPhrases, "Cannot speak of jobs")


def named_things(labels: Sequence[str], language: str) -> str:
    """Names things, of which there is at least one, each kind once: "a duck and an apple".

    Args:
        labels: Labels of the detector. An unknown label is named as it is.
        language: ISO 639-1 code.
    """
    things = job_phrases(language).things
    named = [things.get(label, label[:_LONGEST_LABEL]) for label in dict.fromkeys(labels)]
    return time_words(language).spoken.listed(named)


class JobError(SpokenError):
    """Error about background jobs.

    Args:
        name: Name of the message in `jobs.yaml`.
        values: Values in the message.
        code: Error code.
    """

    def __init__(
        self,
        name: ErrorName,
        values: Mapping[str, Any] | None = None,
        code: ErrorCode = ErrorCode.INVALID_ARGUMENTS,
    ) -> None:
        super().__init__(code, partial(_worded, name, values or {}))


def _worded(name: ErrorName, values: Mapping[str, Any], language: str) -> str:
    return job_phrases(language).errors[name].format(**values)
