"""Demonstrations of skills, recorded or uploaded."""

from __future__ import annotations

from typing import Annotated, Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field

LONGEST = 300.0
"""Maximum length of a demonstration, s."""

MOST_ACTIONS = 15_000
"""Maximum number of actions in a demonstration, at 50 per second."""

Metres = Annotated[float, Field(ge=-1.0, le=1.0, allow_inf_nan=False)]
Radians = Annotated[float, Field(ge=-10.0, le=10.0, allow_inf_nan=False)]
Skill = Annotated[str, Field(max_length=61, pattern=r"^([a-z][a-z0-9_]{1,60})?$")]
Prompt = Annotated[str, Field(min_length=1, max_length=2000, description="Description of the demonstrated motion.")]


class HeadModel(BaseModel):
    """Pose of the head in `head_base`."""

    model_config = ConfigDict(extra="forbid")

    x: Metres = Field(0.0, description="Forward, m.")
    y: Metres = Field(0.0, description="Translation to the left, m.")
    z: Metres = Field(0.0, description="Up, m.")
    roll: Radians = Field(0.0, description="Roll, rad.")
    pitch: Radians = Field(0.0, description="Pitch, rad, positive down.")
    yaw: Radians = Field(0.0, description="Yaw, rad, positive to the left.")


class ActionModel(BaseModel):
    """Posture of the body at a point in time. Omitted parts keep their value from the previous action."""

    model_config = ConfigDict(extra="forbid")

    time: float = Field(ge=0.0, le=LONGEST, description="Time since the start, seconds; must increase.")
    head: HeadModel | None = None
    antennas: tuple[Radians, Radians] | None = Field(None, description="Angles of the right and left antenna, rad.")
    body_yaw: Radians | None = Field(None, description="Angle of the body, rad, positive to the left.")


class DemonstrationRequest(BaseModel):
    """Demonstration to store."""

    task_description: Prompt
    actions: list[ActionModel] = Field(
        min_length=2,
        max_length=MOST_ACTIONS,
        description="Actions in chronological order, with linear interpolation between them.",
    )
    skill: Skill = Field("", description="Name of the skill; empty: derived from the description.")
    person: str = Field("", max_length=100, description="Name of the person who demonstrates.")


class DemonstrationModel(BaseModel):
    """Stored demonstration."""

    demo_id: str
    skill: str
    prompt: str = Field(description="Description of the demonstrated motion.")
    method: str = Field(description="`hand` or `teleoperation`.")
    person: str
    began: float = Field(description="Start time, seconds since the epoch.")
    duration: float | None = Field(description="Duration, seconds; null while recording.")
    samples: int | None = Field(description="Number of messages; null while recording.")
    rate: float | None = Field(description="Postures per second; null while recording.")
    cut: bool = Field(description="Whether the recording was cut off.")
    origin: str = Field(description="Source of the demonstration; empty if it was recorded.")


class DemonstrationAnswer(DemonstrationModel):
    """Demonstration that was stored."""

    status: Literal["stored"] = Field(description="The demonstration is on disk.")


class DemonstrationsAnswer(BaseModel):
    """List of demonstrations."""

    demonstrations: list[DemonstrationModel] = Field(description="Demonstrations, newest first.")


class RecordRequest(BaseModel):
    """Recording to start."""

    skill: str = Field(max_length=61, pattern=r"^[a-z][a-z0-9_]{1,60}$", description="Name of the skill.")
    prompt: Prompt
    method: Literal["hand", "teleoperation"] = Field(
        "hand", description="`hand`: the motors are released and a person moves the body by hand."
    )
    duration: float = Field(0.0, ge=0.0, le=LONGEST, description="Duration, seconds; 0: until stopped, at most 300 s.")


class RecordAnswer(BaseModel):
    """Running recording."""

    status: Literal["recording"]
    skill: str


class DemonstrationService(Protocol):
    """Service that stores, records and lists demonstrations. All methods raise `AgentError`."""

    async def add(self, asked: DemonstrationRequest) -> DemonstrationAnswer:
        """Stores a demonstration from a program. Returns once the demonstration is on disk."""

    async def record(self, asked: RecordRequest) -> None:
        """Starts a recording and returns once it is running."""

    async def finish(self) -> DemonstrationAnswer:
        """Stops the recording that `record` started, and stores it. Raises `NOT_FOUND` if none is running."""

    async def lead(self, head: HeadModel) -> None:
        """Holds the head of the simulated robot at a pose, as if by hand, for 0.5 s or until the next call.

        Raises:
            AgentError: `INVALID_GOAL`: the robot is real, or its motors are not free.
        """

    async def listed(self, skill: str) -> DemonstrationsAnswer:
        """Returns the demonstrations of a skill. If `skill` is empty, returns the demonstrations of all skills."""
