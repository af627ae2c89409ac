"""Learning: what people and programs show the robot, training, and the versions of what was learned."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Path, Query
from pydantic import BaseModel, ConfigDict, Field

from reachy_agent_ros.gateway.callers import Role, requires
from reachy_agent_ros.gateway.graph import Gateway, gateway_of
from reachy_agent_ros.gateway.ports.training import Operation, PolicyVersion, PosturePoint, Shown, TrainingStatus
from reachy_agent_ros.gateway.request_handling import StrictRoute

demonstrations_router = APIRouter(prefix="/demonstration", tags=["learning"], route_class=StrictRoute)

LONGEST = 300.0
"""s of a demonstration."""

MOST_ACTIONS = 15_000
"""Of one demonstration: fifty a second."""

TheGateway = Annotated[Gateway, Depends(gateway_of)]
Metres = Annotated[float, Field(ge=-1.0, le=1.0, allow_inf_nan=False)]
Radians = Annotated[float, Field(ge=-10.0, le=10.0, allow_inf_nan=False)]
Skill = Annotated[str, Field(max_length=61, pattern=r"^([a-z][a-z0-9_]{1,60})?$")]
Prompt = Annotated[str, Field(min_length=1, max_length=2000, description="What is shown, in words.")]

_OPERATOR = [Depends(requires(Role.OPERATOR))]

router = APIRouter(tags=["learning"], route_class=StrictRoute)

MAX_NUMBER = 2**32 - 1

_OBSERVER = [Depends(requires(Role.OBSERVER))]
_ADMINISTRATOR = [Depends(requires(Role.ADMINISTRATOR))]


class HeadModel(BaseModel):
    """The head's pose in `head_base`."""

    model_config = ConfigDict(extra="forbid")

    x: Metres = Field(0.0, description="m, forward.")
    y: Metres = Field(0.0, description="m, left.")
    z: Metres = Field(0.0, description="m, up.")
    roll: Radians = Field(0.0, description="rad.")
    pitch: Radians = Field(0.0, description="rad, positive down.")
    yaw: Radians = Field(0.0, description="rad, positive to the left.")


class ActionModel(BaseModel):
    """Where the body is at a moment; what is left out stays as it was in the action before."""

    model_config = ConfigDict(extra="forbid")

    time: float = Field(ge=0.0, le=LONGEST, description="Seconds from the beginning; later than the one before.")
    head: HeadModel | None = None
    antennas: tuple[Radians, Radians] | None = Field(None, description="Right and left, rad.")
    body_yaw: Radians | None = Field(None, description="rad, positive to the left.")


class DemonstrationRequest(BaseModel):
    """What is shown."""

    task_description: Prompt
    actions: list[ActionModel] = Field(
        min_length=2, max_length=MOST_ACTIONS, description="In the order of time; the body moves straight between them."
    )
    skill: Skill = Field("", description="What it shows; empty: named after the description.")
    person: str = Field("", max_length=100, description="Who shows it.")


class DemonstrationModel(BaseModel):
    """One demonstration."""

    model_config = ConfigDict(from_attributes=True)

    demo_id: str
    skill: str
    prompt: str = Field(description="What is shown, in words.")
    method: str = Field(description="`hand` or `teleoperation`.")
    person: str
    began: float = Field(description="Seconds since the epoch.")
    duration: float | None = Field(description="Seconds; null while it is recorded.")
    samples: int | None = Field(description="Messages in it; null likewise.")
    rate: float | None = Field(description="Postures a second; null likewise.")
    cut: bool = Field(description="Whether its end is missing.")
    origin: str = Field(description="What it was made from; empty where it was recorded.")


class DemonstrationAnswer(DemonstrationModel):
    """A demonstration that was taken."""

    status: Literal["stored"] = Field(description="It is on disk.")


class DemonstrationsAnswer(BaseModel):
    """Demonstrations."""

    demonstrations: list[DemonstrationModel] = Field(description="Newest first.")


class RecordRequest(BaseModel):
    """A recording that shall begin."""

    skill: str = Field(max_length=61, pattern=r"^[a-z][a-z0-9_]{1,60}$", description="What is shown.")
    prompt: Prompt
    method: Literal["hand", "teleoperation"] = Field(
        "hand", description="`hand`: the motors are freed, and the body is guided by hand."
    )
    duration: float = Field(0.0, ge=0.0, le=LONGEST, description="Seconds; 0: until it is ended, 300 s at most.")


class RecordAnswer(BaseModel):
    """A recording that goes on."""

    status: Literal["recording"]
    skill: str


@demonstrations_router.post("", dependencies=_OPERATOR)
async def add(asked: DemonstrationRequest, gateway: TheGateway) -> DemonstrationAnswer:
    """Keeps what a program shows; on disk when it is answered.

    What the body cannot do is refused, with the moment that is furthest outside. Nothing moves.
    """
    moments = _moments(asked.actions)
    made = await gateway.demonstrations.add(asked.skill, asked.task_description, asked.person, moments)
    return _stored(made)


@demonstrations_router.get("", dependencies=[Depends(requires(Role.OBSERVER))])
async def listed(
    gateway: TheGateway, skill: Annotated[str, Query(max_length=100, description="Only of this one.")] = ""
) -> DemonstrationsAnswer:
    """All demonstrations there are."""
    found = await gateway.demonstrations.listed(skill)
    return DemonstrationsAnswer(demonstrations=[DemonstrationModel.model_validate(one) for one in found])


@demonstrations_router.post("/record", dependencies=_OPERATOR, status_code=202)
async def record(asked: RecordRequest, gateway: TheGateway) -> RecordAnswer:
    """Begins to record what a person shows; `DELETE` ends it, and the event `training` tells how it goes."""
    await gateway.demonstrations.record(asked.skill, asked.prompt, asked.method, asked.duration)
    return RecordAnswer(status="recording", skill=asked.skill)


@demonstrations_router.delete("/record", dependencies=_OPERATOR)
async def finish(gateway: TheGateway) -> DemonstrationAnswer:
    """Ends the recording that was begun here; what was recorded stays."""
    return _stored(await gateway.demonstrations.finish())


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


def _moments(actions: list[ActionModel]) -> list[PosturePoint]:
    """With what was left out filled in from the action before, at first from the neutral posture."""
    moments = [PosturePoint(0.0, (0.0,) * 6, (0.0, 0.0), 0.0)]
    for action in actions:
        last = moments[-1]
        head = last.head if action.head is None else _pose(action.head)
        antennas = last.antennas if action.antennas is None else action.antennas
        body_yaw = last.body_yaw if action.body_yaw is None else action.body_yaw
        moments.append(PosturePoint(action.time, head, antennas, body_yaw))
    return moments[1:]


def _pose(head: HeadModel) -> tuple[float, float, float, float, float, float]:
    return head.x, head.y, head.z, head.roll, head.pitch, head.yaw


def _stored(made: Shown) -> DemonstrationAnswer:
    return DemonstrationAnswer(**asdict(made), status="stored")


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
