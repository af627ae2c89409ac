"""Predefined tools, by subject."""

from collections.abc import Sequence
from pathlib import Path

from reachy_agent_ros.tools.predefined.expression import expression_tools
from reachy_agent_ros.tools.predefined.movement import MOVEMENT_TOOLS
from reachy_agent_ros.tools.predefined.sight import sight_tools
from reachy_agent_ros.tools.predefined.steering import STEERING_TOOLS
from reachy_agent_ros.tools.predefined.voice import VOICE_TOOLS
from reachy_agent_ros.tools.tool import Tool


def predefined_tools(photo_directory: Path, emotions: Sequence[str], dances: Sequence[str]) -> list[Tool]:
    """Returns all predefined tools.

    Args:
        photo_directory: Folder for saved photos.
        emotions: Names of the emotions that the bridge can play.
        dances: Names of the dances that the bridge can play.
    """
    subjects = (MOVEMENT_TOOLS, STEERING_TOOLS, sight_tools(photo_directory), expression_tools(emotions, dances))
    return [*(tool for subject in subjects for tool in subject), *VOICE_TOOLS]
