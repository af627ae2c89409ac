"""Acts, judgements and rewards as rows of the tables, which are JSON as well: in the spool and in exports."""

from __future__ import annotations

import math
import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.action_record import ActionRecord
from reachy_agent_ros.learning.feedback.credit import Reward
from reachy_agent_ros.learning.feedback_event import FeedbackEvent

_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
"""Characters that databases refuse: null, and halves of surrogate pairs."""


@dataclass(frozen=True)
class Row:
    """One row.

    Attributes:
        table: Its table's name.
        values: By column: strings, finite numbers, truth values, None, and lists and mappings of these.
    """

    table: str
    values: Mapping[str, Any]


def rows_of_act(act: ActionRecord) -> list[Row]:
    """What was decided, and how it ended, where it has.

    Raises:
        AgentError: `NOT_FINITE`: a number is not finite; `INVALID_ARGUMENTS`: a probability out of range, or an end
            before the beginning.
    """
    if not 0.0 < act.probability <= 1.0 or act.ended < act.began:
        raise AgentError(
            ErrorCode.INVALID_ARGUMENTS,
            "An act's probability is above 0 and at most 1, and its end after its beginning.",
        )
    decided = {
        "act_id": str(act.act_id),
        "turn_id": None if act.turn_id is None else str(act.turn_id),
        "skill": act.skill,
        "context": _numbers(act.context),
        "action": _numbers(act.action),
        "probability": act.probability,
        "policy_version": act.policy_version,
        "began": act.began,
    }
    policy = {"skill": act.skill, "version": act.policy_version, "first_acted": act.began}
    rows = [Row("acts", decided), Row("policy_versions", policy)]
    if act.ended != math.inf:
        ended = {"act_id": str(act.act_id), "ended": act.ended, "outcome": _numbers(act.outcome)}
        rows.append(Row("outcomes", ended))
    return [_checked(row) for row in rows]


def row_of_judgement(judgement: FeedbackEvent) -> Row:
    """What a person gave."""
    return _checked(
        Row(
            "judgements",
            {
                "feedback_id": str(judgement.feedback_id),
                "source": int(judgement.source),
                "text": judgement.text,
                "given": judgement.given,
                "turn_id": None if judgement.turn_id is None else str(judgement.turn_id),
                "rating": judgement.rating,
                "person": judgement.person,
            },
        )
    )


def rows_of_reward(reward: Reward) -> list[Row]:
    """One an act that gets some of it."""
    score = reward.score
    return [
        _checked(
            Row(
                "rewards",
                {
                    "feedback_id": str(reward.feedback_id),
                    "act_id": str(credit.act.act_id),
                    "weight": credit.weight,
                    "sign": int(score.sign),
                    "rating": score.rating,
                    "confidence": score.confidence,
                    "axes": [str(axis) for axis in score.axes],
                    "stop": score.stop,
                    "policy_version": credit.act.policy_version,
                },
            )
        )
        for credit in reward.credits
    ]


def act_of_row(values: Mapping[str, Any]) -> ActionRecord:
    """The act, from a row of acts joined with its outcome, whose columns are None while it runs."""
    return ActionRecord(
        act_id=uuid.UUID(values["act_id"]),
        turn_id=None if values["turn_id"] is None else uuid.UUID(values["turn_id"]),
        skill=values["skill"],
        context=values["context"],
        action=values["action"],
        probability=values["probability"],
        policy_version=values["policy_version"],
        began=values["began"],
        ended=math.inf if values["ended"] is None else values["ended"],
        outcome=values["outcome"] or {},
    )


def _numbers(values: Mapping[str, float]) -> dict[str, float]:
    return {str(name): float(value) for name, value in values.items()}


def _checked(row: Row) -> Row:
    """Refuses here what a database would refuse later, when it may be too late to tell anybody."""
    _check(row.values)
    return row


def _check(value: Any) -> None:
    if isinstance(value, float) and not math.isfinite(value):
        raise AgentError(ErrorCode.NOT_FINITE, "A number to be stored is not finite.")
    if isinstance(value, str) and _UNSTORABLE.search(value):
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, "A text to be stored has a null character or a lone surrogate.")
    if isinstance(value, Mapping):
        for key, part in value.items():
            _check(key)
            _check(part)
    elif isinstance(value, list):
        for part in value:
            _check(part)
