"""The robot's measured state, and the service that reads it, stops the robot and resets the stop."""

from __future__ import annotations

from typing import Protocol

from pydantic import BaseModel, ConfigDict, Field


class StateAnswer(BaseModel):
    """What is measured, SI units."""

    model_config = ConfigDict(frozen=True)  # concurrent requests share one answer

    stamp: float = Field(description="When it was measured, seconds since the epoch.")
    head_pose: list[float] = Field(description="4x4 transform of `head` in `head_base` by rows, m.")
    body_yaw: float = Field(description="rad, positive to the left.")
    antennas: list[float] = Field(description="Right and left, rad.")
    activity: str = Field(description="`idle`, `moving`, `streaming`, `holding` or `stopped`.")
    motors: str = Field(description="`enabled`, `disabled` or `gravity_compensation`.")
    connected: bool = Field(description="Whether the robot answers.")
    simulated: bool = Field(description="Whether no real motor can turn.")
    emergency_stopped: bool = Field(description="Whether it must be reset before it moves again.")
    stop_reason: str = Field(description="Why it was stopped; empty otherwise.")
    commander: str = Field(description="Node that holds the robot; empty when nobody does.")


class BodyService(Protocol):
    """Reads the robot's state, and stops the robot. All methods raise `AgentError`."""

    async def state(self) -> StateAnswer:
        """Returns the latest measured state."""

    async def stop(self) -> StateAnswer:
        """Stops all motion and speech, latches the emergency stop, and returns the state that the robot confirms."""

    async def reset(self) -> StateAnswer:
        """Resets the emergency stop, so that the robot can move again."""
