"""Targets for picture files."""

from __future__ import annotations

import io

import numpy as np
from PIL import Image as PillowImage

from fuzz.file_target import FileTarget
from fuzz.mutation.byte_mutation import mutated_bytes
from reachy_agent_ros.vision.image_file import FORMATS, decode_image, read_image

_VARIANTS: dict[str, tuple[dict[str, bool], ...]] = {
    "JPEG": ({}, {"progressive": True}),
    "PNG": ({}, {"optimize": True}),
    "WEBP": ({}, {"lossless": True}),
}


def strangers_pictures() -> FileTarget:
    """Returns a target that decodes pictures in the same way as the gateway."""
    return FileTarget("picture", _samples(), mutated_bytes, lambda path: decode_image(path.read_bytes()))


def own_pictures() -> FileTarget:
    """Returns a target that reads pictures in the same way as the commands, in any format that Pillow supports."""
    return FileTarget("picture", _samples(), mutated_bytes, read_image)


def _samples() -> list[bytes]:
    """Returns a small picture in every format.

    If the format supports it, the picture has an EXIF orientation of 180 degrees.
    """
    pixels = np.random.default_rng(0).integers(0, 255, (24, 32, 3), np.uint8)
    image, samples = PillowImage.fromarray(pixels), []
    exif = PillowImage.Exif()
    exif[0x0112] = 3
    for name in (*FORMATS, "ICO", "PPM", "TGA"):
        for options in _VARIANTS.get(name, ({},)):
            content = io.BytesIO()
            held = {"exif": exif} if name in ("JPEG", "PNG", "WEBP", "TIFF") else {}
            image.save(content, format=name, **options, **held)
            samples.append(content.getvalue())
    return samples
