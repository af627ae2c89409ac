"""Photographs from installed packages: two with faces, and others without faces."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from PIL import Image as PillowImage

from reachy_agent_ros.vision.camera import Image
from reachy_agent_ros.vision.detection import BoundingBox


@dataclass(frozen=True)
class Portrait:
    """Photograph of one person, with the box of the face.

    Attributes:
        image: The photograph.
        face: Manually drawn box from hairline to chin.
    """

    image: Image
    face: BoundingBox

    @property
    def face_height(self) -> float:
        """Height of the face in pixels."""
        return self.face.y1 - self.face.y0

    def mirrored(self) -> Portrait:
        """Returns the mirrored photograph."""
        width = self.image.shape[1]
        x0, y0, x1, y1 = self.face
        return Portrait(np.ascontiguousarray(self.image[:, ::-1]), BoundingBox(width - x1, y0, width - x0, y1))

    def close_up(self) -> Portrait:
        """Returns a square part of the photograph, centered on the face and twice as high."""
        x, y = self.face.center
        half = round(self.face_height)
        left, upper = round(x) - half, round(y) - half
        padded = np.pad(self.image, ((half, half), (half, half), (0, 0)), mode="edge")
        square = padded[upper + half : upper + 3 * half, left + half : left + 3 * half]
        x0, y0, x1, y1 = self.face
        return Portrait(square, BoundingBox(x0 - left, y0 - upper, x1 - left, y1 - upper))

    def held_before(
        self, background: Image, face_height: int, center: tuple[float, float], roll: float = 0.0
    ) -> tuple[Image, BoundingBox]:
        """Draws a printed close-up of the face in front of a background.

        Args:
            background: Background image.
            face_height: Height of the face, pixels.
            center: Column and row of the face's center, pixels.
            roll: Counterclockwise rotation, deg.

        Returns:
            The image, and the box of the face.
        """
        side = 2 * face_height
        close_up = self.close_up()
        print_ = PillowImage.fromarray(close_up.image).resize((side, side), PillowImage.Resampling.LANCZOS)
        mask = PillowImage.new("L", (side, side), 255)
        picture = PillowImage.fromarray(background)
        corner = round(center[0]) - face_height, round(center[1]) - face_height
        picture.paste(print_.rotate(roll, PillowImage.Resampling.BICUBIC), corner, mask.rotate(roll))
        scale = face_height / self.face_height
        x0, y0, x1, y1 = (scale * edge for edge in close_up.face)
        return np.asarray(picture), BoundingBox(x0 + corner[0], y0 + corner[1], x1 + corner[0], y1 + corner[1])


def portraits() -> tuple[Portrait, ...]:
    """Returns photographs of Eileen Collins and Grace Hopper, both in the public domain."""
    astronaut = _read("skimage", "data/astronaut.png")
    admiral = _read("matplotlib", "mpl-data/sample_data/grace_hopper.jpg")
    return Portrait(astronaut, BoundingBox(178, 62, 273, 184)), Portrait(admiral, BoundingBox(172, 128, 360, 336))


def pictures_without_faces() -> tuple[Image, ...]:
    """Returns photographs of a cat, a cup, a rocket, coins, a wall, grass, a page and the moon."""
    names = ("chelsea.png", "coffee.png", "rocket.jpg", "coins.png", "brick.png", "grass.png", "page.png", "moon.png")
    return tuple(_read("skimage", f"data/{name}") for name in names)


def _read(package: str, name: str) -> Image:
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise FileNotFoundError(
            f"The package {package} with the photograph {name} is missing: run scripts/setup --test."
        )
    with PillowImage.open(Path(spec.submodule_search_locations[0]) / name) as picture:
        return np.asarray(picture.convert("RGB"))
