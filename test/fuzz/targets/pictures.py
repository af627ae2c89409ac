"""Pictures that strangers send."""

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
    """As the gateway reads them."""
    return FileTarget("picture", _samples(), mutated_bytes, lambda path: decode_image(path.read_bytes()))


def own_pictures() -> FileTarget:
    """As the commands read them, in any format that Pillow knows."""
    return FileTarget("picture", _samples(), mutated_bytes, read_image)


def _samples() -> list[bytes]:
    """A small picture in every format, held upside down, as a camera says it."""
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
