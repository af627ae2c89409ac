"""Films of the simulated robot, rendered afterwards from measurements, so that rendering does not disturb the graph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image as PillowImage
from PIL import ImageDraw, ImageFont

from reachy_agent_ros.core.pose import Matrix
from reachy_agent_ros.vision.camera import Image
from reachy_agent_ros.vision.studio_view import StudioView

WIDTH, HEIGHT = 480, 360
"""Size of a picture, pixels."""

INSET = 4
"""Ratio of the size of the film to that of the inset camera image."""

_MARGIN = 8
_CAPTION_HEIGHT = 26


@dataclass(frozen=True)
class FilmFrame:
    """Measurements for one picture of a film.

    Attributes:
        time: Time since the start of the film, s.
        joints: Position of every joint of the URDF by name, rad.
        objects: 4x4 transforms of the objects in `base_link`, m.
        eye: Camera image of the robot; None if there is none.
        caption: Caption of the picture.
    """

    time: float
    joints: Mapping[str, float]
    objects: Mapping[str, Matrix]
    eye: Image | None
    caption: str


def draw_film(moments: Iterable[FilmFrame], scene: str) -> Iterator[Image]:
    """Draws the pictures of a film: the robot, its camera image in a corner, the caption below.

    Args:
        moments: Frames in order.
        scene: One of `description.SCENES`.

    Raises:
        AgentError: `CAMERA_UNAVAILABLE` if rendering is not possible.
    """
    view = StudioView(scene, WIDTH, HEIGHT)
    try:
        for moment in moments:
            picture = PillowImage.fromarray(view.draw(moment.joints, moment.objects))
            if moment.eye is not None:
                _inset(picture, moment.eye)
            _write(picture, f"{moment.time:5.1f} s  {moment.caption}")
            yield np.asarray(picture)
    finally:
        view.close()


def write_animation(path: Path, pictures: Sequence[Image], period: float) -> None:
    """Writes an animated WebP that loops forever.

    Args:
        path: Path of the file.
        pictures: Pictures, at least one.
        period: Time between two pictures, s.
    """
    frames = [PillowImage.fromarray(picture) for picture in pictures]
    duration = round(1000.0 * period)
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=duration, loop=0, quality=70)


def write_strip(path: Path, pictures: Sequence[Image], columns: int) -> None:
    """Writes pictures side by side, row by row, as one PNG.

    Args:
        path: Path of the file.
        pictures: Pictures of equal size, at least one.
        columns: Number of pictures in a row.
    """
    height, width, _ = pictures[0].shape
    rows = -(-len(pictures) // columns)
    strip = PillowImage.new("RGB", (width * columns, height * rows))
    for number, picture in enumerate(pictures):
        row, column = divmod(number, columns)
        strip.paste(PillowImage.fromarray(picture), (column * width, row * height))
    strip.save(path)


def _inset(picture: PillowImage.Image, eye: Image) -> None:
    small = PillowImage.fromarray(eye).resize((picture.width // INSET, picture.height // INSET))
    picture.paste(small, (picture.width - small.width - _MARGIN, _MARGIN))


def _write(picture: PillowImage.Image, caption: str) -> None:
    draw = ImageDraw.Draw(picture)
    top = picture.height - _CAPTION_HEIGHT
    draw.rectangle((0, top, picture.width, picture.height), fill=(0, 0, 0))
    draw.text((_MARGIN, top + 5), caption, font=ImageFont.load_default(14), fill=(255, 255, 255))
