"""Taking a picture, and where photos are kept."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

from reachy_agent_ros.core.arguments import ToolArguments
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tools.context import ToolContext
from reachy_agent_ros.tools.predefined.posture import head_in_degrees
from reachy_agent_ros.tools.tool import Tool, ToolSpecification


class TakePhotoArguments(ToolArguments):
    """Nothing to say: the picture shows where the head looks."""


def take_photo(directory: Path) -> Tool:
    """The tool that saves its pictures in `directory`, which is made when the first is taken."""

    def run(_arguments: TakePhotoArguments, context: ToolContext) -> dict[str, Any]:
        photo = context.body.photograph(context)
        return {
            "path": str(save_photo(photo.jpeg, directory)),
            "width": photo.intrinsics.width,
            "height": photo.intrinsics.height,
            "bytes": len(photo.jpeg),
            "head": head_in_degrees(photo.head),
        }

    return Tool(
        ToolSpecification(
            name="take_photo",
            description="Takes a picture with the robot's own camera, of what the head looks at, and saves it.",
            arguments=TakePhotoArguments,
            time_limit=15.0,
        ),
        run,
    )


def save_photo(jpeg: bytes, directory: Path) -> Path:
    """Saves a picture under the moment it was taken.

    Args:
        jpeg: Encoded picture.
        directory: Made if need be.

    Returns:
        The file.

    Raises:
        AgentError: `STORAGE_FAILED`.
    """
    path = directory / f"photo-{datetime.now().astimezone():%Y%m%d-%H%M%S-%f}.jpg"
    try:
        directory.mkdir(parents=True, exist_ok=True)
        path.write_bytes(jpeg)
    except OSError as error:
        raise AgentError(ErrorCode.STORAGE_FAILED, f"The photo could not be saved: {error}.") from error
    return path
