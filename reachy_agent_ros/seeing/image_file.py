"""Pictures that somebody brings as files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image as PillowImage
from PIL import ImageOps, UnidentifiedImageError

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.seeing.camera import Image


def read_image(path: Path) -> Image:
    """Reads a picture of any format that Pillow knows, the way up that the camera was held.

    Raises:
        AgentError: `INVALID_ARGUMENTS` for a file that is missing or no picture.
    """
    try:
        with PillowImage.open(path) as file:
            upright = ImageOps.exif_transpose(file)
            return np.asarray(upright.convert("RGB"))
    except UnidentifiedImageError as error:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{path} is no picture.") from error
    except (OSError, ValueError, SyntaxError, PillowImage.DecompressionBombError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{path} cannot be read: {reason}.") from error
