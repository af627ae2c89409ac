"""Credit assignment: which acts a judgement is about, and the reward that a learner gets from it.

People are late: they see what was done, think, and speak. TAMER (Knox and Stone, "Interactively shaping agents via
human reinforcement", K-CAP 2009) takes the delay for a random variable and gives each act the probability that the
judgement was of a moment within it. Here the delay lies in a stated window, its density falls from the window's
beginning to its end, and an act lasts until the next one begins, because until then its result is what people look at.
"""

from __future__ import annotations

import math
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from uuid import UUID

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.action_record import ActionRecord
from reachy_agent_ros.learning.feedback_event import FeedbackEvent, FeedbackSource
from reachy_agent_ros.learning.score import Score

LEAST = 0.05
"""Share of a judgement below which an act gets none of it."""

_AFTER_A_TURN = 1.0
"""s after its last act at which a judgement of a whole turn counts as given, if it came later."""


@dataclass(frozen=True)
class Credit:
    """How much of a judgement an act deserves.

    Attributes:
        act: The act.
        weight: Above 0; those of one judgement add up to 1.
    """

    act: ActionRecord
    weight: float


@dataclass(frozen=True)
class Reward:
    """A judgement as a learner uses it; on disk, or in the spool beside the database, once anybody has it.

    Attributes:
        feedback_id: The judgement that it was made from.
        given: When that was given, s since the epoch.
        score: What it is worth.
        credits: The acts it is about, the likeliest first; never empty.
    """

    feedback_id: uuid.UUID
    given: float
    score: Score
    credits: tuple[Credit, ...]

    @property
    def act(self) -> ActionRecord:
        """The likeliest one."""
        return self.credits[0].act

    @property
    def policy_version(self) -> str:
        """Which policy chose that act."""
        return self.act.policy_version


@dataclass(frozen=True)
class CreditWindow:
    """Delays that people have.

    Attributes:
        earliest: s from an act's beginning: nobody reacts sooner.
        latest: s from its end: later, it is about something else.
        haste: Power with which the probability of a longer delay falls to 0 at `latest`; 2 is a density that falls
            linearly.
    """

    earliest: float
    latest: float
    haste: float = 2.0

    def share_later_than(self, delay: float) -> float:
        """Probability of a longer delay.

        Args:
            delay: s.
        """
        left = (self.latest - max(delay, self.earliest)) / (self.latest - self.earliest)
        return math.pow(max(0.0, left), self.haste)


WINDOWS: Mapping[FeedbackSource, CreditWindow] = {
    FeedbackSource.SPEECH: CreditWindow(0.2, 4.0),
    FeedbackSource.IMPLICIT: CreditWindow(0.0, 4.0),
    FeedbackSource.BUTTON: CreditWindow(0.2, 15.0, 6.0),
    FeedbackSource.RATING: CreditWindow(0.2, 30.0, 12.0),
    FeedbackSource.TEXT: CreditWindow(0.2, 30.0, 12.0),
}
"""0.2 s to 4 s are usual for speech, counted to its first word. Buttons have to be found, and sentences typed; but half
of the judgements come within two seconds by any way, or what was done last would seldom get the credit."""


def assign_credit(judgement: FeedbackEvent, acts: Sequence[ActionRecord]) -> tuple[Credit, ...]:
    """The acts that a judgement is about.

    All are of one turn. A judgement that names its turn may come at any time after it began; another one is about the
    turn that it most likely means.

    Args:
        judgement: Of speech, `given` is when the first word began.
        acts: Those that it may be about, in any order; `ended` is infinite for one that still runs.

    Returns:
        Most of the credit first.

    Raises:
        AgentError: `NO_DATA`: there is nothing that it could be about, and why.
    """
    window = WINDOWS[judgement.source]
    begun = sorted((act for act in acts if act.began <= judgement.given), key=lambda act: act.began)
    if judgement.turn_id is not None:
        meant = [act for act in begun if act.turn_id == judgement.turn_id]
        if not meant:
            raise AgentError(
                ErrorCode.NO_DATA, f"Nothing was done in turn {judgement.turn_id}, so there is nothing to judge."
            )
        given = min(judgement.given, max(act.ended for act in meant) + _AFTER_A_TURN)
        return _shared(_by_delay(given, meant, window))
    seen = [act for act in begun if act.began <= judgement.given - window.earliest]
    recent = [act for act in seen if judgement.given - act.ended <= window.latest]
    if not recent:
        message = f"Nothing was done in the {window.latest:g} s before, so there is nothing to judge."
        raise AgentError(ErrorCode.NO_DATA, message)
    return _shared(_likeliest_turn(_by_delay(judgement.given, recent, window)))


def _by_delay(given: float, acts: Sequence[ActionRecord], window: CreditWindow) -> list[Credit]:
    """Each act with the probability of what was judged being within it; `acts` in the order they began in."""
    ends = [*(later.began for _, later in pairwise(acts)), given]
    return [
        Credit(act, window.share_later_than(given - end) - window.share_later_than(given - act.began))
        for act, end in zip(acts, ends, strict=True)
    ]


def _likeliest_turn(credits_: Sequence[Credit]) -> list[Credit]:
    def turn(credit: Credit) -> UUID:
        return credit.act.turn_id or credit.act.act_id  # what belongs to no turn is one of its own

    totals: dict[UUID, float] = {}
    for credit in credits_:
        totals[turn(credit)] = totals.get(turn(credit), 0.0) + credit.weight
    likeliest = max(reversed(totals), key=totals.__getitem__)
    return [credit for credit in credits_ if turn(credit) == likeliest]


def _shared(credits_: Sequence[Credit]) -> tuple[Credit, ...]:
    total = sum(credit.weight for credit in credits_)
    if total <= 0.0:
        return (Credit(credits_[-1].act, 1.0),)
    kept = [credit for credit in credits_ if credit.weight >= LEAST * total]
    total = sum(credit.weight for credit in kept)
    return tuple(sorted((replace(one, weight=one.weight / total) for one in kept), key=lambda one: -one.weight))
