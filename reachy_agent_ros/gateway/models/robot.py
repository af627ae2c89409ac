"""Measured state of the robot, and the service that reads it, stops the robot and resets the stop."""

from __future__ import annotations

from typing import Protocol

from pydantic import BaseModel, ConfigDict, Field


class StateAnswer(BaseModel):
    """Measured state of the robot, in SI units."""

    model_config = ConfigDict(frozen=True)  # concurrent requests share one answer

    stamp: float = Field(description="Time of the response, seconds since the epoch.")
    head_pose: list[float] = Field(description="Pose of `head` in `head_base`: 4x4 matrix by rows, m.")
    body_yaw: float = Field(description="Angle of the body, rad, positive to the left.")
    antennas: list[float] = Field(description="Angles of the right and left antenna, rad.")
    activity: str = Field(description="`idle`, `moving`, `streaming`, `holding` or `stopped`.")
    motors: str = Field(description="`enabled`, `disabled` or `gravity_compensation`.")
    connected: bool = Field(description="Whether the robot is connected.")
    simulated: bool = Field(description="Whether the robot is simulated.")
    emergency_stopped: bool = Field(description="Whether the emergency stop is latched; reset it to move again.")
    stop_reason: str = Field(description="Reason for the stop; empty if not stopped.")
    commander: str = Field(description="Node that controls the robot; empty if none.")


class RobotService(Protocol):
    """Reads the robot's state, and stops the robot. All methods raise `AgentError`."""

    async def state(self) -> StateAnswer:
        """Returns the latest measured state."""

    async def stop(self, who: str = "") -> StateAnswer:
        """Stops all motion and speech, latches the emergency stop, and returns the state that the robot confirms.

        Args:
            who: Caller for the audit log; empty to confirm a stop that has been recorded.
        """

    async def reset(self) -> StateAnswer:
        """Resets the emergency stop, so that the robot can move again."""
