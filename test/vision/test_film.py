from pathlib import Path

import numpy as np
import pytest
from PIL import Image as PillowImage

from reachy_agent_ros.core.pose import BodyPose, head_transform
from reachy_agent_ros.robot.kinematics import BodyKinematics
from reachy_agent_ros.robot.mujoco_simulation import Simulation
from reachy_agent_ros.vision.camera import Image
from reachy_agent_ros.vision.film import HEIGHT, WIDTH, FilmFrame, draw_film, write_animation, write_strip

RED = np.full((48, 64, 3), (255, 0, 0), np.uint8)


def joints(yaw: float) -> dict[str, float]:
    """Returns the positions of all joints of a robot whose head is turned."""
    kinematics = BodyKinematics()
    simulation = Simulation("empty", kinematics.inverse(BodyPose()))
    simulation.set_targets(kinematics.inverse(BodyPose(head_transform(yaw=yaw))))
    simulation.step(round(1.0 / simulation.timestep))
    return simulation.joints()


@pytest.fixture(scope="module")
def pictures() -> list[Image]:
    moments = [
        FilmFrame(0.0, joints(0.0), {}, None, "rest"),
        FilmFrame(
            0.1, joints(0.5), {}, RED, "looks left", "I see a duck in front of me, and an apple on the left." * 3
        ),
    ]
    return list(draw_film(moments, "empty"))


@pytest.mark.slow
def test_robot_moves_between_film_frames(pictures: list[Image]) -> None:
    robot = np.s_[100:400, :600]
    assert [picture.shape for picture in pictures] == [(HEIGHT, WIDTH, 3)] * 2
    assert np.abs(pictures[0][robot].astype(int) - pictures[1][robot]).max() > 50


def test_inset_shows_camera_image_of_same_frame(pictures: list[Image]) -> None:
    corner = np.s_[30, WIDTH - 30]
    assert list(pictures[1][corner]) == [255, 0, 0]
    assert list(pictures[0][corner]) != [255, 0, 0]


def test_film_frame_contains_caption(pictures: list[Image]) -> None:
    captions = [picture[HEIGHT - 45 :] for picture in pictures]
    assert all(caption.max() > 200 for caption in captions)
    assert not np.array_equal(*captions)


def test_caption_in_film_frame_is_above_lower_edge(pictures: list[Image]) -> None:
    answer = pictures[1][HEIGHT - 110 :].astype(int)
    blue = (answer[..., 2] - answer[..., 0] > 60) & (answer[..., 2] > 180)
    assert blue.any()
    assert not blue[-8:].any()
    assert not blue[:, -10:].any()


def test_animation_contains_every_frame(pictures: list[Image], tmp_path: Path) -> None:
    write_animation(tmp_path / "film.webp", pictures, 0.1)
    with PillowImage.open(tmp_path / "film.webp") as film:
        assert (film.n_frames, film.size) == (2, (WIDTH, HEIGHT))


def test_contact_sheet_supports_incomplete_row(pictures: list[Image], tmp_path: Path) -> None:
    write_strip(tmp_path / "strip.png", [*pictures, pictures[0]], columns=2)
    with PillowImage.open(tmp_path / "strip.png") as strip:
        assert strip.size == (2 * WIDTH, 2 * HEIGHT)
