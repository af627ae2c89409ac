"""Which proven tools a person has to approve before they run."""

from __future__ import annotations

from enum import StrEnum

from reachy_agent_ros.tool_generation.need import Need
from reachy_agent_ros.tool_generation.program import Program
from reachy_agent_ros.tool_generation.sandbox.tier import Tier


class Review(StrEnum):
    """What a person wants to see."""

    NEVER = "never"
    """Nothing: the proof is enough."""
    ACTING = "acting"
    """What moves the robot, speaks, or asks other machines."""
    ALWAYS = "always"
    """Every tool."""


def needs_review(program: Program, review: Review, tier: Tier) -> bool:
    """Whether a program waits for a person. In the weaker box each of them does, whatever is wanted."""
    if review is Review.ALWAYS or tier is Tier.LANDLOCK:
        return True
    return review is Review.ACTING and bool(program.needs & {Need.BODY, Need.VOICE, Need.WEB})
