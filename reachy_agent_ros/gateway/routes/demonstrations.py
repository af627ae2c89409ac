"""What people and programs show the robot."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query
from pydantic import BaseModel, ConfigDict, Field

from reachy_agent_ros.gateway.callers import Role, requires
from reachy_agent_ros.gateway.graph import Gateway, gateway_of
from reachy_agent_ros.gateway.ports.training import Moment, Shown
from reachy_agent_ros.gateway.request_handling import StrictRoute

router = APIRouter(prefix="/demonstration", tags=["learning"], route_class=StrictRoute)

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


@router.post("", dependencies=_OPERATOR)
async def add(asked: DemonstrationRequest, gateway: TheGateway) -> DemonstrationAnswer:
    """Keeps what a program shows; on disk when it is answered.

    What the body cannot do is refused, with the moment that is furthest outside. Nothing moves.
    """
    moments = _moments(asked.actions)
    made = await gateway.demonstrations.add(asked.skill, asked.task_description, asked.person, moments)
    return _stored(made)


@router.get("", dependencies=[Depends(requires(Role.OBSERVER))])
async def listed(
    gateway: TheGateway, skill: Annotated[str, Query(max_length=100, description="Only of this one.")] = ""
) -> DemonstrationsAnswer:
    """All demonstrations there are."""
    found = await gateway.demonstrations.listed(skill)
    return DemonstrationsAnswer(demonstrations=[DemonstrationModel.model_validate(one) for one in found])


@router.post("/record", dependencies=_OPERATOR, status_code=202)
async def record(asked: RecordRequest, gateway: TheGateway) -> RecordAnswer:
    """Begins to record what a person shows; `DELETE` ends it, and the event `training` tells how it goes."""
    await gateway.demonstrations.record(asked.skill, asked.prompt, asked.method, asked.duration)
    return RecordAnswer(status="recording", skill=asked.skill)


@router.delete("/record", dependencies=_OPERATOR)
async def finish(gateway: TheGateway) -> DemonstrationAnswer:
    """Ends the recording that was begun here; what was recorded stays."""
    return _stored(await gateway.demonstrations.finish())


def _moments(actions: list[ActionModel]) -> list[Moment]:
    """With what was left out filled in from the action before, at first from the neutral posture."""
    moments = [Moment(0.0, (0.0,) * 6, (0.0, 0.0), 0.0)]
    for action in actions:
        last = moments[-1]
        head = last.head if action.head is None else _pose(action.head)
        antennas = last.antennas if action.antennas is None else action.antennas
        body_yaw = last.body_yaw if action.body_yaw is None else action.body_yaw
        moments.append(Moment(action.time, head, antennas, body_yaw))
    return moments[1:]


def _pose(head: HeadModel) -> tuple[float, float, float, float, float, float]:
    return head.x, head.y, head.z, head.roll, head.pitch, head.yaw


def _stored(made: Shown) -> DemonstrationAnswer:
    return DemonstrationAnswer(**asdict(made), status="stored")
