"""Pictures that somebody brings as files."""

from __future__ import annotations

import io
import struct
import zlib
from pathlib import Path

import numpy as np
from PIL import Image as PillowImage
from PIL import ImageOps, UnidentifiedImageError

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.vision.camera import Image

FORMATS = ("JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF")
"""Of strangers' pictures: Pillow would have other programs read some of the others."""

MOST_PIXELS = 50_000_000
"""Of strangers' pictures, as a phone takes them: a small file can hold far more than fits into memory."""

_BROKEN = (
    *(OSError, ValueError, SyntaxError, EOFError, TypeError, LookupError, ArithmeticError, MemoryError),
    *(struct.error, zlib.error, PillowImage.DecompressionBombError),
)
"""What Pillow's readers raise for files that are not what they begin as."""


def read_image(path: Path) -> Image:
    """Reads a picture of any format that Pillow knows, the way up that the camera was held.

    Raises:
        AgentError: `INVALID_ARGUMENTS` for a file that is missing or no picture.
    """
    return _read(path, str(path))


def decode_image(data: bytes) -> Image:
    """Reads what a stranger sent as a picture, the way up that the camera was held.

    Raises:
        AgentError: `INVALID_ARGUMENTS` for what is no picture of the `FORMATS`, broken, or larger than `MOST_PIXELS`.
    """
    return _read(io.BytesIO(data), "The picture", FORMATS, MOST_PIXELS)


def _read(
    source: Path | io.BytesIO, name: str, formats: tuple[str, ...] | None = None, most: int | None = None
) -> Image:
    try:
        with PillowImage.open(source, formats=formats) as file:
            if most is not None and file.width * file.height > most:
                message = f"{name} is too large: it has {file.width}x{file.height} pixels, and at most {most} are read."
                raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
            upright = ImageOps.exif_transpose(file)
            return np.asarray(upright.convert("RGB"))
    except UnidentifiedImageError as error:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{name} is no picture.") from error
    except _BROKEN as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{name} cannot be read: {reason}.") from error
