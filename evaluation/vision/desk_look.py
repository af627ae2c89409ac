"""Appearance of the desk scenes: surfaces, light, and the image errors of a cheap camera."""

from __future__ import annotations

import io
from collections.abc import Sequence

import mujoco
import numpy as np
from numpy.typing import NDArray
from PIL import Image as PillowImage
from PIL import ImageFilter

from evaluation.vision.desk_props import CLOTH, HAND, HIDDEN_GROUP, LAMPS, PROPS, TEXTURE_SIZE, WALLPAPER
from reachy_agent_ros.vision.camera import Image

Color = NDArray[np.float64]
"""Red, green and blue, 0 to 1."""

WARM, COLD = np.array([1.0, 0.76, 0.52]), np.array([0.82, 0.92, 1.0])
"""Colors of a light bulb and of an overcast sky."""

SKIN = np.array([[0.94, 0.78, 0.66], [0.83, 0.61, 0.47], [0.63, 0.42, 0.30], [0.36, 0.23, 0.16]])
"""Skin colors from light to dark."""


def paint(model: mujoco.MjModel, rng: np.random.Generator) -> None:
    """Gives every surface a random color or pattern, except the surfaces of the labeled objects."""
    for name in (CLOTH, WALLPAPER):
        _texture(model, name)[:] = _pattern(rng)
        model.mat_rgba[model.material(name).id, :3] = rng.uniform(0.5, 1.0)
    model.mat_rgba[model.material("wooden_table_02_material").id, :3] = rng.uniform(0.45, 1.0, 3)
    model.mat_rgba[model.material("groundplane").id, :3] = rng.uniform(0.2, 1.0, 3)
    for name in PROPS:
        color = _skin(rng) if name == HAND else rng.uniform(0.05, 0.95, 3)
        for geom in geoms_of(model, name):
            model.geom_rgba[geom, :3] = color * rng.uniform(0.92, 1.0)


def show(model: mujoco.MjModel, props: Sequence[str], cloth: bool, walls: bool) -> None:
    """Shows the given props, and on request the cloth and the walls. Hides the other decoration."""
    for name in PROPS:
        model.geom_group[geoms_of(model, name)] = 0 if name in props else HIDDEN_GROUP
    for name, shown in ((CLOTH, cloth), (WALLPAPER, walls)):
        model.geom_group[model.geom_matid == model.material(name).id] = 0 if shown else HIDDEN_GROUP


def light(model: mujoco.MjModel, rng: np.random.Generator) -> None:
    """Sets a random strength and color of the light from the window, the two lamps and the surroundings."""
    model.vis.headlight.ambient[:] = rng.uniform(0.2, 0.5) * _white(rng)
    model.vis.headlight.diffuse[:] = rng.uniform(0.1, 0.6)
    window = next(n for n in range(model.nlight) if model.light(n).name not in LAMPS)
    slope = rng.uniform(-0.9, 0.9, 2)
    model.light_dir[window] = np.array([*slope, -1.0]) / np.hypot(1.0, np.hypot(*slope))
    model.light_diffuse[window] = rng.uniform(0.2, 0.8) * _white(rng)
    for name in LAMPS:
        lamp = model.light(name).id
        model.light_active[lamp] = rng.random() < 0.6
        model.light_pos[lamp] = rng.uniform((-0.2, -1.0, 0.4), (1.2, 1.0, 1.5))
        model.light_dir[lamp] = np.array([0.5, 0.0, 0.0]) - model.light_pos[lamp]
        model.light_diffuse[lamp] = rng.uniform(0.15, 0.55) * _white(rng)
        model.light_cutoff[lamp] = rng.uniform(35.0, 80.0)


def geoms_of(model: mujoco.MjModel, body: str) -> NDArray[np.int64]:
    """Returns the numbers of the geoms that belong to a body."""
    return np.flatnonzero(model.geom_bodyid == model.body(body).id)


def photograph(image: Image, sway: NDArray[np.float64], rng: np.random.Generator) -> Image:
    """Adds the image errors of a small camera to a rendered image.

    Args:
        image: Rendered image.
        sway: Image motion during the exposure along columns and rows, pixels.
        rng: Random generator.
    """
    linear = (_swayed(image, sway) / 255.0) ** rng.uniform(0.85, 1.2)
    linear *= rng.uniform(0.55, 1.25) * rng.uniform(0.93, 1.07, 3)
    photons = rng.uniform(150.0, 1500.0)
    linear = rng.poisson(np.clip(linear, 0.0, 1.0) * photons) / photons
    linear += rng.normal(0.0, rng.uniform(0.0, 0.02), linear.shape)
    picture = PillowImage.fromarray((np.clip(linear, 0.0, 1.0) * 255.0).round().astype(np.uint8))
    picture = picture.filter(ImageFilter.GaussianBlur(rng.uniform(0.0, 0.8)))
    buffer = io.BytesIO()
    picture.save(buffer, format="JPEG", quality=int(rng.integers(60, 96)))
    return np.asarray(PillowImage.open(buffer))


def _swayed(image: Image, sway: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns the image with motion blur."""
    steps = 1 + int(np.abs(sway).max())
    moves = [np.round(sway * (step / steps - 0.5)).astype(int) for step in range(steps)]
    padded = np.pad(image, ((8, 8), (8, 8), (0, 0)), mode="edge").astype(np.float64)
    height, width = image.shape[:2]
    shifted = [padded[8 + row : 8 + row + height, 8 + column : 8 + column + width] for column, row in moves]
    return np.asarray(np.mean(shifted, axis=0))


def _pattern(rng: np.random.Generator) -> Image:
    """Returns a worn pattern of two colors: stripes, checks, spots, a gradient or a plain color."""
    across, down = np.meshgrid(*[np.arange(TEXTURE_SIZE) / TEXTURE_SIZE] * 2)
    waves = rng.integers(2, 14)
    first = np.sin(2 * np.pi * waves * across)
    second = np.sin(2 * np.pi * waves * down)
    mixture = [np.zeros_like(first), first > 0, first * second > 0, np.hypot(first, second) < 0.5, 0.5 + 0.5 * first]
    mix = np.asarray(mixture[rng.integers(len(mixture))], np.float64)[..., None]
    one, other = rng.uniform(0.1, 1.0, (2, 3))
    grain = _grain(rng, 8) + 0.5 * _grain(rng, 64)
    worn = (one * (1.0 - mix) + other * mix) * (1.0 + rng.uniform(0.0, 0.25) * grain[..., None])
    return np.asarray(np.clip(worn, 0.0, 1.0) * 255.0, np.uint8)


def _grain(rng: np.random.Generator, cells: int) -> NDArray[np.float64]:
    """Returns smooth noise with values from about -1 to 1."""
    coarse = PillowImage.fromarray(rng.uniform(-1.0, 1.0, (cells, cells)).astype(np.float32))
    return np.asarray(coarse.resize((TEXTURE_SIZE, TEXTURE_SIZE), PillowImage.Resampling.BICUBIC), np.float64)


def _texture(model: mujoco.MjModel, name: str) -> Image:
    """Returns the pixels of a texture."""
    texture = model.texture(name).id
    start, count = int(model.tex_adr[texture]), TEXTURE_SIZE * TEXTURE_SIZE * 3
    pixels: Image = model.tex_data[start : start + count]
    return pixels.reshape(TEXTURE_SIZE, TEXTURE_SIZE, 3)


def _skin(rng: np.random.Generator) -> Color:
    tone = rng.uniform(0.0, len(SKIN) - 1.0)
    darker = int(tone)
    return np.asarray(SKIN[darker] + (tone - darker) * (SKIN[darker + 1] - SKIN[darker])) * rng.uniform(0.9, 1.05)


def _white(rng: np.random.Generator) -> Color:
    """Returns a light color between the color of a light bulb and the color of the sky, sometimes tinted."""
    warmth = rng.random()
    white = warmth * WARM + (1.0 - warmth) * COLD
    return white * rng.uniform(0.5, 1.0, 3) if rng.random() < 0.2 else white
