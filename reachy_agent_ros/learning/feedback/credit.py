"""Credit assignment, which distributes a judgment among the actions to which it may refer.

People react with a delay. TAMER (Knox and Stone, "Interactively shaping agents via human reinforcement", K-CAP 2009)
models the delay as a random variable and credits each action with the probability that the judged moment lies within
it. In this implementation, the delay lies in a fixed window, and its density decreases from the start of the window to
its end. An action lasts until the next one begins, because people see its result until then.
"""

from __future__ import annotations

import math
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from uuid import UUID

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.action_record import TOOL_CHOICE, ActionRecord
from reachy_agent_ros.learning.feedback.reference import is_speech, referents, without_speech
from reachy_agent_ros.learning.feedback_event import FeedbackEvent, FeedbackSource
from reachy_agent_ros.learning.score import Axis, Score

LEAST = 0.05
"""Minimum share of a judgment. Actions with a smaller share get no credit, except for the most likely action."""

_AFTER_A_TURN = 1.0
"""Maximum delay after the last action of a turn, s. A later judgment of that turn is treated as if it came then."""

_BEFORE_A_REMARK = 1.0
"""Maximum pause between an action and a remark on it, s."""


@dataclass(frozen=True)
class Credit:
    """Share of a judgment that is assigned to one action.

    Attributes:
        act: The action.
        weight: Share, above 0; the weights of one judgment add up to 1.
    """

    act: ActionRecord
    weight: float


@dataclass(frozen=True)
class Reward:
    """Scored judgment with the credited actions.

    `FeedbackRecorder.give` stores it in the database or in the spool before returning it.

    Attributes:
        feedback_id: Identifier of the judgment.
        given: Time of the judgment, s since the epoch.
        score: Value of the judgment.
        credits: Credits of the judged actions, most likely first; never empty.
    """

    feedback_id: uuid.UUID
    given: float
    score: Score
    credits: tuple[Credit, ...]

    @property
    def act(self) -> ActionRecord:
        """Action to which the judgment most likely refers."""
        return likeliest_act(self.credits)

    @property
    def policy_version(self) -> str:
        """Version of the policy that chose this action."""
        return self.act.policy_version


@dataclass(frozen=True)
class CreditWindow:
    """Probability distribution of people's reaction delays.

    Attributes:
        earliest: Minimum delay from the start of an action, s.
        latest: Maximum delay from the end of an action, s.
        haste: Exponent with which the probability of a longer delay decreases to 0 at `latest`. With 2, the density
            decreases linearly.
    """

    earliest: float
    latest: float
    haste: float = 2.0

    def share_later_than(self, delay: float) -> float:
        """Returns the probability that a delay is longer than `delay` (s)."""
        left = (self.latest - max(delay, self.earliest)) / (self.latest - self.earliest)
        return math.pow(max(0.0, left), self.haste)


WINDOWS: Mapping[FeedbackSource, CreditWindow] = {
    FeedbackSource.SPEECH: CreditWindow(0.2, 4.0),
    FeedbackSource.IMPLICIT: CreditWindow(0.0, 4.0),
    FeedbackSource.BUTTON: CreditWindow(0.2, 15.0, 6.0),
    FeedbackSource.RATING: CreditWindow(0.2, 30.0, 12.0),
    FeedbackSource.TEXT: CreditWindow(0.2, 30.0, 12.0),
}
"""Reaction delays by source. Speech usually starts after 0.2 s to 4 s. Finding a button or typing a sentence takes
longer. For every source, half of the probability lies within two seconds, so that the latest action gets most of the
credit."""


def assign_credit(
    judgment: FeedbackEvent, acts: Sequence[ActionRecord], axes: Sequence[Axis] = ()
) -> tuple[Credit, ...]:
    """Assigns a judgment to the actions of one turn.

    The words select the actions that can be meant (`referents`), and the delay determines their shares. A judgment
    that names its turn may come at any time after that turn began. For other judgments, the most likely turn is used.

    Args:
        judgment: The judgment; for speech, `given` is the start of the first word.
        acts: Candidate actions in any order; `ended` is infinite for a running action.
        axes: Corrections that the words ask for.

    Returns:
        Credits in descending order.

    Raises:
        AgentError: `NO_DATA` if the judgment cannot refer to any action; the message gives the reason.
    """
    window = WINDOWS[judgment.source]
    begun = sorted((act for act in acts if act.began <= judgment.given), key=lambda act: act.began)
    if judgment.turn_id is not None:
        of_turn = [act for act in begun if act.turn_id == judgment.turn_id]
        if not of_turn:
            raise AgentError(
                ErrorCode.NO_DATA, f"Nothing was done in turn {judgment.turn_id}, so there is nothing to judge."
            )
        given = min(judgment.given, max(act.ended for act in of_turn) + _AFTER_A_TURN)
        meant = referents(judgment.text, axes, of_turn) or of_turn
        return _shared(_but_speech(_of(meant, _by_delay(given, of_turn, window))))
    recent = _recent(judgment.given, begun, window)
    if not recent:
        message = f"Nothing was done in the preceding {window.latest:g} s, so there is nothing to judge."
        raise AgentError(ErrorCode.NO_DATA, message)
    meant = referents(judgment.text, axes, recent)
    if not meant:
        message = f"Nothing that was done in the preceding {window.latest:g} s can be changed in this way."
        raise AgentError(ErrorCode.NO_DATA, message)
    return _shared(_but_speech(_likeliest_turn(_of(meant, _by_delay(judgment.given, recent, window)))))


def likeliest_act(credits_: Sequence[Credit]) -> ActionRecord:
    """Returns the most likely action. A choice between tools counts only if it is the only action.

    Args:
        credits_: Result of `assign_credit`.
    """
    return next((credit.act for credit in credits_ if credit.act.skill != TOOL_CHOICE), credits_[0].act)


def _recent(given: float, begun: Sequence[ActionRecord], window: CreditWindow) -> list[ActionRecord]:
    """Returns the actions of all turns that have an action within the time window, sorted by start, like `begun`.

    People wait for the end of a turn: the nod is still meant when the sentence that followed it has ended.
    """
    seen = [act for act in begun if act.began <= given - window.earliest]
    turns = {_turn(act) for act in seen if given - _heard_until(act, seen) <= window.latest}
    return [act for act in seen if _turn(act) in turns]


def _heard_until(act: ActionRecord, seen: Sequence[ActionRecord]) -> float:
    """Returns when an action and the remarks that directly follow it have ended, s since the epoch.

    The remarks may belong to other turns, but people wait for their end too.
    """
    until = act.ended
    for later in seen:
        if is_speech(later) and later.began >= act.began and later.began - until <= _BEFORE_A_REMARK:
            until = max(until, later.ended)
    return until


def _turn(act: ActionRecord) -> UUID:
    """Returns the id of the action's turn. If the action has no turn, returns the id of the action itself."""
    return act.turn_id or act.act_id


def _of(acts: Sequence[ActionRecord], credits_: Sequence[Credit]) -> list[Credit]:
    meant = {act.act_id for act in acts}
    return [credit for credit in credits_ if credit.act.act_id in meant]


def _but_speech(credits_: Sequence[Credit]) -> list[Credit]:
    """Removes the credits of speech, unless speech is the only action."""
    return _of(without_speech([credit.act for credit in credits_]), credits_) or list(credits_)


def _by_delay(given: float, acts: Sequence[ActionRecord], window: CreditWindow) -> list[Credit]:
    """Credits each action with the probability that it contains the moment to which the judgment refers.

    `acts` must be sorted by start.
    """
    ends = [*(later.began for _, later in pairwise(acts)), given]
    return [
        Credit(act, window.share_later_than(given - end) - window.share_later_than(given - act.began))
        for act, end in zip(acts, ends, strict=True)
    ]


def _likeliest_turn(credits_: Sequence[Credit]) -> list[Credit]:
    totals: dict[UUID, float] = {}
    for credit in credits_:
        totals[_turn(credit.act)] = totals.get(_turn(credit.act), 0.0) + credit.weight
    likeliest = max(reversed(totals), key=totals.__getitem__)
    return [credit for credit in credits_ if _turn(credit.act) == likeliest]


def _shared(credits_: Sequence[Credit]) -> tuple[Credit, ...]:
    total = sum(credit.weight for credit in credits_)
    if total <= 0.0:
        return (Credit(credits_[-1].act, 1.0),)
    least = min(LEAST * total, max(credit.weight for credit in credits_))
    kept = [credit for credit in credits_ if credit.weight >= least]
    total = sum(credit.weight for credit in kept)
    return tuple(sorted((replace(one, weight=one.weight / total) for one in kept), key=lambda one: -one.weight))
