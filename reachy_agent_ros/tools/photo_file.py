"""Where photos are kept."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from reachy_agent_ros.core.errors import AgentError, ErrorCode


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
