"""Converts actions, judgments and rewards to database rows. The spool and exports also use these rows, as JSON."""

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
"""Characters that databases reject: null and lone surrogates."""


@dataclass(frozen=True)
class Row:
    """Row of a database table.

    Attributes:
        table: Name of the table.
        values: Values by column: strings, finite numbers, booleans, None, and lists and mappings of these.
    """

    table: str
    values: Mapping[str, Any]


def rows_of_act(act: ActionRecord) -> list[Row]:
    """Converts an action to rows: the action, its policy version, and its outcome if the action has ended.

    Raises:
        AgentError: `NOT_FINITE` for a number that is not finite; `INVALID_ARGUMENTS` for a probability out of range, an
            end before the start, or a text that databases reject.
    """
    if not 0.0 < act.probability <= 1.0 or act.ended < act.began:
        raise AgentError(
            ErrorCode.INVALID_ARGUMENTS,
            "Invalid action record: expected a probability above 0 and at most 1, and an end not before the beginning.",
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


def row_of_judgment(judgment: FeedbackEvent) -> Row:
    """Converts a judgment to a row.

    Raises:
        AgentError: `NOT_FINITE` for a number that is not finite; `INVALID_ARGUMENTS` for a text that databases reject.
    """
    return _checked(
        Row(
            "judgements",
            {
                "feedback_id": str(judgment.feedback_id),
                "source": int(judgment.source),
                "text": judgment.text,
                "given": judgment.given,
                "turn_id": None if judgment.turn_id is None else str(judgment.turn_id),
                "rating": judgment.rating,
                "person": judgment.person,
            },
        )
    )


def rows_of_reward(reward: Reward) -> list[Row]:
    """Converts a reward to rows, one for each credited action.

    Raises:
        AgentError: Same as for `row_of_judgment`.
    """
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
    """Creates an action record from a row of `ACTS` joined with `OUTCOMES`. A running action has no outcome yet."""
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
    """Checks a row for values that the database would reject.

    Without this check, the error would occur too late to be reported to the caller.
    """
    _check(row.values)
    return row


def _check(value: Any) -> None:
    if isinstance(value, float) and not math.isfinite(value):
        raise AgentError(ErrorCode.NOT_FINITE, "Cannot store feedback: expected finite numbers.")
    if isinstance(value, str) and _UNSTORABLE.search(value):
        message = "Cannot store feedback: a text contains a null character or a lone surrogate."
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
    if isinstance(value, Mapping):
        for key, part in value.items():
            _check(key)
            _check(part)
    elif isinstance(value, list):
        for part in value:
            _check(part)
