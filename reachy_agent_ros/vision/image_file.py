"""Decoding of image files and uploads."""

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
"""Formats accepted from untrusted sources. For some other formats, Pillow would run external programs."""

MOST_PIXELS = 50_000_000
"""Maximum number of pixels from untrusted sources, enough for a photo from a phone: a small file can expand to more
than the memory holds."""

_BROKEN = (
    *(OSError, ValueError, SyntaxError, EOFError, TypeError, LookupError, ArithmeticError, MemoryError),
    *(struct.error, zlib.error, PillowImage.DecompressionBombError),
)
"""Exceptions of Pillow's readers for malformed files."""


def read_image(path: Path) -> Image:
    """Reads an image file in any format that Pillow supports. Rotates the image according to its EXIF orientation.

    Raises:
        AgentError: `INVALID_ARGUMENTS` for a file that is missing or not an image.
    """
    return _read(path, str(path))


def decode_image(data: bytes) -> Image:
    """Decodes an image from an untrusted source. Rotates the image according to its EXIF orientation.

    Raises:
        AgentError: `INVALID_ARGUMENTS` if the data is not an image in one of `FORMATS`, or is malformed or larger than
            `MOST_PIXELS`.
    """
    return _read(io.BytesIO(data), "The picture", FORMATS, MOST_PIXELS)


def _read(
    source: Path | io.BytesIO, name: str, formats: tuple[str, ...] | None = None, most: int | None = None
) -> Image:
    try:
        with PillowImage.open(source, formats=formats) as file:
            if most is not None and file.width * file.height > most:
                message = f"{name} is too large: it has {file.width}x{file.height} pixels, but the limit is {most}."
                raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
            upright = ImageOps.exif_transpose(file)
            return np.asarray(upright.convert("RGB"))
    except UnidentifiedImageError as error:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{name} is not an image.") from error
    except _BROKEN as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{name} cannot be read: {reason}.") from error
