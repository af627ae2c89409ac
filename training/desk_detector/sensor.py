"""Simulated cheap camera: exposure, color balance, blur, vignette, noise and JPEG."""

from __future__ import annotations

import io

import numpy as np
from PIL import Image as PillowImage
from PIL import ImageFilter

from reachy_agent_ros.vision.camera import Image

_DARKEST = 8.0
"""Minimum mean gray level (of 255). In darker images, even people see nothing, and the network would learn to guess."""


def through_sensor(rng: np.random.Generator, image: Image) -> Image:
    """Returns the image as a random camera in a random room records it. One in seven images is not changed."""
    if rng.random() < 0.14:
        return image
    if rng.random() < 0.25:
        image = _blurred(rng, image)
    light = image.astype(np.float32)
    light *= max(_exposure(rng), _DARKEST / max(1.0, float(light.mean())))
    if rng.random() < 0.5:
        light *= rng.uniform(0.8, 1.2, 3).astype(np.float32)
    if rng.random() < 0.4:
        light *= _vignette(rng, *image.shape[:2])[:, :, None]
    if rng.random() < 0.3:
        light = 255.0 * (np.clip(light, 0.0, 255.0) / 255.0) ** np.float32(rng.uniform(0.7, 1.4))
    if rng.random() < 0.75:
        light += rng.uniform(0.5, 9.0) * rng.standard_normal(image.shape, dtype=np.float32)
    taken = np.clip(light, 0.0, 255.0).astype(np.uint8)
    return _compressed(taken, int(rng.integers(35, 96))) if rng.random() < 0.7 else taken


def _exposure(rng: np.random.Generator) -> float:
    """Draws a relative exposure time: often 1 (correct), otherwise from 0.22 to 1.5."""
    return float(np.exp(rng.uniform(np.log(0.22), np.log(1.5)))) if rng.random() < 0.6 else 1.0


def _vignette(rng: np.random.Generator, height: int, width: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    rows, columns = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
    return np.asarray(1.0 - rng.uniform(0.1, 0.6) * (rows**2 + columns**2) / 2.0, np.float32)


def _blurred(rng: np.random.Generator, image: Image) -> Image:
    radius = rng.uniform(0.3, 1.3)
    return np.asarray(PillowImage.fromarray(image).filter(ImageFilter.GaussianBlur(radius)))


def _compressed(image: Image, quality: int) -> Image:
    buffer = io.BytesIO()
    PillowImage.fromarray(image).save(buffer, format="JPEG", quality=quality)
    with PillowImage.open(buffer) as decoded:
        return np.asarray(decoded.convert("RGB"))
