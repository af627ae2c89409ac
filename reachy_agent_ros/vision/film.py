"""Films of the simulated robot. Films are rendered from recordings, because live rendering would slow the graph."""

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

WIDTH, HEIGHT = 800, 600
"""Size of a picture, pixels."""

SMALL = 480, 360
"""Size of a picture for web pages and contact sheets, pixels."""

INSET = 4
"""Ratio of the size of the film to that of the inset camera image."""

_MARGIN = 16
_LETTERS = 26
"""Size of the letters, pixels: readable in the small size as well."""

_LINE = 34
"""Distance between two lines, pixels."""

_MOST_LINES = 2
"""Maximum number of lines of an answer."""

_PERSON, _ROBOT = (255, 255, 255), (140, 220, 230)
"""Colors of a caption and of an answer."""


@dataclass(frozen=True)
class FilmFrame:
    """Frame of a film: the measurements and texts from which one picture is rendered.

    Attributes:
        time: Time since the start of the film, s.
        joints: Position of every joint of the URDF by name, rad.
        objects: 4x4 transforms of the objects in `base_link`, m.
        eye: Camera image of the robot; None if there is none.
        caption: Caption of the picture: what happens, or what a person says.
        answer: Answer of the robot; empty if there is none.
    """

    time: float
    joints: Mapping[str, float]
    objects: Mapping[str, Matrix]
    eye: Image | None
    caption: str
    answer: str = ""


def draw_film(moments: Iterable[FilmFrame], scene: str) -> Iterator[Image]:
    """Renders the pictures of a film: the robot, its camera image in a corner, and the caption and answer below.

    Args:
        moments: Frames in order.
        scene: One of `description.SCENES`.

    Raises:
        AgentError: The errors of `StudioView`.
    """
    view = StudioView(scene, WIDTH, HEIGHT)
    try:
        for moment in moments:
            picture = PillowImage.fromarray(view.draw(moment.joints, moment.objects))
            if moment.eye is not None:
                _inset(picture, moment.eye)
            _write(picture, moment)
            yield np.asarray(picture)
    finally:
        view.close()


def small(picture: Image) -> Image:
    """Scales a picture down for web pages."""
    return np.asarray(PillowImage.fromarray(picture).resize(SMALL, PillowImage.Resampling.LANCZOS))


def write_animation(path: Path, pictures: Sequence[Image], period: float) -> None:
    """Writes an animated WebP file that loops forever.

    Args:
        path: Path of the file.
        pictures: Pictures, at least one.
        period: Time between two pictures, s.
    """
    frames = [PillowImage.fromarray(picture) for picture in pictures]
    duration = round(1000.0 * period)
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=duration, loop=0, quality=70)


def write_strip(path: Path, pictures: Sequence[Image], columns: int) -> None:
    """Writes pictures in a grid, row by row, to one PNG file.

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


def _write(picture: PillowImage.Image, moment: FilmFrame) -> None:
    font = ImageFont.load_default(_LETTERS)
    draw = ImageDraw.Draw(picture, "RGBA")
    lines = [(moment.caption, _PERSON)]
    if moment.answer:
        lines += [(line, _ROBOT) for line in _wrapped(f"Reachy: {moment.answer}", font, picture.width - 2 * _MARGIN)]
    top = picture.height - _LINE * len(lines) - _MARGIN
    draw.rectangle((0, top, picture.width, picture.height), fill=(0, 0, 0, 190))
    for number, (line, color) in enumerate(lines):
        draw.text((_MARGIN, top + _MARGIN // 2 + _LINE * number), line, font=font, fill=color)


def _wrapped(text: str, font: ImageFont.FreeTypeFont | ImageFont.ImageFont, width: int) -> list[str]:
    """Returns the first lines of a text, wrapped at a width (pixels)."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if font.getlength(longer) <= width:
            lines[-1] = longer
        elif len(lines) < _MOST_LINES:
            lines.append(word)
        else:
            lines[-1] += " …"
            break
    return lines
