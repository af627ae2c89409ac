"""Demonstrations: what people and programs show the robot."""

from __future__ import annotations

from typing import Annotated, Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field

LONGEST = 300.0
"""s of a demonstration."""

MOST_ACTIONS = 15_000
"""Actions of a demonstration: 50 a second."""

Metres = Annotated[float, Field(ge=-1.0, le=1.0, allow_inf_nan=False)]
Radians = Annotated[float, Field(ge=-10.0, le=10.0, allow_inf_nan=False)]
Skill = Annotated[str, Field(max_length=61, pattern=r"^([a-z][a-z0-9_]{1,60})?$")]
Prompt = Annotated[str, Field(min_length=1, max_length=2000, description="What is shown, in words.")]


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


class DemonstrationService(Protocol):
    """Stores, records and lists demonstrations. All methods raise `AgentError`."""

    async def add(self, asked: DemonstrationRequest) -> DemonstrationAnswer:
        """Stores a program's demonstration: it is on disk when this returns."""

    async def record(self, asked: RecordRequest) -> None:
        """Starts a recording and returns when it runs."""

    async def finish(self) -> DemonstrationAnswer:
        """Ends the recording and keeps it; `NOT_FOUND` if none runs."""

    async def listed(self, skill: str) -> DemonstrationsAnswer:
        """Returns the demonstrations of one skill or, if it is empty, of all."""
