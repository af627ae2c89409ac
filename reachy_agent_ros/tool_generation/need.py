"""Capabilities of a generated tool."""

from __future__ import annotations

from enum import StrEnum


class Need(StrEnum):
    """A capability: what a tool may reach outside of its sandbox.

    The validator derives the needs of a tool from its source, a person reviews them, and the broker ends a run that
    asks for anything else.
    """

    BODY = "body"
    """To move the robot, and to read its pose."""
    EYES = "eyes"
    """To take pictures, and to ask what they show."""
    VOICE = "voice"
    """To speak aloud."""
    WEB = "web"
    """To fetch pages from the hosts that a person allowed."""
