"""Learning: training, and the versions of what was learned."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Path, Query
from pydantic import BaseModel, ConfigDict, Field

from reachy_agent_ros.gateway.callers import Role, requires
from reachy_agent_ros.gateway.graph import Gateway, gateway_of
from reachy_agent_ros.gateway.ports.training import Operation, PolicyVersion, TrainingStatus
from reachy_agent_ros.gateway.request_handling import StrictRoute

router = APIRouter(tags=["learning"], route_class=StrictRoute)

MAX_NUMBER = 2**32 - 1

TheGateway = Annotated[Gateway, Depends(gateway_of)]

_OBSERVER = [Depends(requires(Role.OBSERVER))]
_ADMINISTRATOR = [Depends(requires(Role.ADMINISTRATOR))]


class PolicyModel(BaseModel):
    """A version of a policy."""

    model_config = ConfigDict(from_attributes=True)

    skill: str
    version: int
    parent: int = Field(description="Version it was made from; 0 for none.")
    algorithm: str = Field(description="What made it.")
    because: str = Field(description="Why it was made.")
    active: bool = Field(description="Whether it acts.")
    pinned: bool = Field(description="Whether it goes on to act whatever is learned.")
    created: float = Field(description="Seconds since the epoch.")
    figures: dict[str, float] = Field(description="What was measured of it, SI units.")
    digest: str = Field(description="SHA-256 of its weights.")


class PoliciesAnswer(BaseModel):
    """Versions of policies."""

    policies: list[PolicyModel] = Field(description="By skill, oldest first.")


class PolicyRequest(BaseModel):
    """A decision about a policy's versions."""

    operation: Operation
    version: int = Field(
        0, ge=0, le=MAX_NUMBER, description="0: the one that acts; of `roll_back`, the one it was made from."
    )


class TrainingRequest(BaseModel):
    """A skill to train."""

    skill: str = Field(min_length=1, max_length=100, description="Of demonstrations that were given.")
    algorithm: str = Field("", max_length=40, description="Empty: the usual one; docs/learning.md lists them.")
    episodes: int = Field(0, ge=0, le=MAX_NUMBER, description="0: the usual number.")
    seed: int = Field(0, ge=0, le=MAX_NUMBER, description="Of everything by chance.")


class TrainingAnswer(BaseModel):
    """What the trainer does."""

    state: Literal["idle", "recording", "training", "evaluating"]
    skill: str = Field(description="Of what, or of what it did last; empty for nothing yet.")
    episode: int = Field(description="Under way, from 1; 0 while nothing is trained.")
    episodes: int = Field(description="Planned.")
    success_rate: float | None = Field(description="Of the newest version in the fixed test, 0 to 1; null: none is.")
    avg_reward: float | None = Field(
        description="Over the last episodes while it trains, else of the newest version in the fixed test; -1 to 1."
    )
    best_checkpoint: str = Field(description="Version that acts, as `skill/version`; empty for none.")
    figures: dict[str, float] = Field(description="All that was measured of the newest version, SI units.")
    detail: str = Field(description="One line for people.")
    error: str = Field(description="Why the training begun here last came to nothing; empty if it did not.")


@router.get("/training/status", dependencies=_OBSERVER)
async def status(gateway: TheGateway) -> TrainingAnswer:
    """What is trained, and what came of the latest training."""
    return _told(await gateway.training.status())


@router.post("/training", dependencies=_ADMINISTRATOR, status_code=202)
async def train(asked: TrainingRequest, gateway: TheGateway) -> TrainingAnswer:
    """Begins to train a skill from its demonstrations; the event `training` tells how it goes."""
    return _told(await gateway.training.train(asked.skill, asked.algorithm, asked.episodes, asked.seed))


@router.delete("/training", dependencies=_ADMINISTRATOR)
async def cancel(gateway: TheGateway) -> TrainingAnswer:
    """Ends the training that was begun here; the same one goes on from there when it is begun again."""
    return _told(await gateway.training.cancel())


@router.get("/policies", dependencies=_OBSERVER)
async def policies(
    gateway: TheGateway, skill: Annotated[str, Query(max_length=100, description="Only of this one.")] = ""
) -> PoliciesAnswer:
    """The versions of what was learned."""
    found = await gateway.training.policies(skill)
    return PoliciesAnswer(policies=[_policy(one) for one in found])


@router.post("/policies/{skill}", dependencies=_ADMINISTRATOR)
async def set_policy(
    skill: Annotated[str, Path(min_length=1, max_length=100)], asked: PolicyRequest, gateway: TheGateway
) -> PolicyModel:
    """Decides which version of a skill acts, also after a restart; answers with it."""
    return _policy(await gateway.training.set_policy(skill, asked.operation, asked.version))


def _policy(version: PolicyVersion) -> PolicyModel:
    return PolicyModel.model_validate(asdict(version))


def _told(found: TrainingStatus) -> TrainingAnswer:
    figures = {} if found.latest is None else dict(found.latest.figures)
    best = found.best
    answer = {
        "state": found.state,
        "skill": found.skill,
        "episode": found.episode,
        "episodes": found.episodes,
        "success_rate": figures.get("success"),
        "avg_reward": found.mean_reward if found.state == "training" else figures.get("reward"),
        "best_checkpoint": "" if best is None else f"{best.skill}/{best.version}",
        "figures": figures,
        "detail": found.detail,
        "error": found.error,
    }
    return TrainingAnswer.model_validate(answer)
