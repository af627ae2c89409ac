from collections.abc import Iterator

import mujoco
import numpy as np
import pytest

from reachy_agent_ros.core.pose import Matrix
from training.desk_detector.label import Label
from training.desk_detector.random_scene import random_scene
from training.desk_detector.scene import KINDS, Lamp, Scene, Surface, Thing, eye_pose
from training.desk_detector.scene_renderer import SceneRenderer

EYE = eye_pose(np.array([0.0, 0.0, 0.2]), 0.0, 0.35, 0.0)
DAYLIGHT = (Lamp(None, np.full(3, 0.6), np.full(3, 0.3)),)
WOOD, TILES = Surface("wooden_table_02_material", (1.0, 1.0, 1.0)), Surface("groundplane", (1.0, 1.0, 1.0))


@pytest.fixture(scope="module")
def renderer() -> Iterator[SceneRenderer]:
    renderer = SceneRenderer(320, 240)
    yield renderer
    renderer.close()


def at(x: float, y: float, z: float) -> Matrix:
    pose = np.eye(4)
    pose[:3, 3] = (x, y, z)
    return pose


def scene(*things: Thing) -> Scene:
    return Scene(EYE, things, DAYLIGHT, WOOD, TILES, sky=True)


def duck(renderer: SceneRenderer, y: float = 0.0) -> Thing:
    upright, corners = renderer.shapes()["duck"]
    pose = at(0.5, y, -float((corners @ upright.T)[:, 2].min()))
    pose[:3, :3] = upright
    return Thing("duck", pose)


def only(labels: list[Label]) -> Label:
    (label,) = labels
    return label


@pytest.mark.slow
def test_label_box_matches_rendered_object(renderer: SceneRenderer) -> None:
    image, labels = renderer.render(scene(duck(renderer)))
    label = only(labels)
    empty, nothing = renderer.render(scene())
    assert nothing == []
    rows, columns = np.nonzero((image.astype(int) - empty).any(axis=2))
    drawn = columns.min(), rows.min(), columns.max() + 1, rows.max() + 1
    assert label[1:5] == pytest.approx(
        drawn, abs=1.5
    )  # edges are antialiased in the image, but not in the segmentation
    assert (KINDS[int(label.kind)], label.uncovered, label.inside) == ("duck", 1.0, 1.0)


def test_half_covered_object_is_half_visible(renderer: SceneRenderer) -> None:
    whole = only(renderer.render(scene(duck(renderer)))[1])
    left_half = Thing(mujoco.mjtGeom.mjGEOM_BOX, at(0.25, 0.5, 0.1), (0.001, 0.5, 0.1), (0.9, 0.7, 0.6))
    half = only(renderer.render(scene(duck(renderer), left_half))[1])
    assert 0.3 < half.uncovered < 0.7
    assert half.pixels == pytest.approx(half.uncovered * whole.pixels)
    assert half.x0 > whole.x0 + 5
    assert half.visible == half.uncovered


def test_object_at_image_edge_is_partly_inside_image(renderer: SceneRenderer) -> None:
    cut = only(renderer.render(scene(duck(renderer, y=0.535)))[1])
    assert 0.05 < cut.inside < 0.95
    assert (cut.x0, cut.uncovered) == (0.0, 1.0)


def test_hidden_object_has_no_label(renderer: SceneRenderer) -> None:
    wall = Thing(mujoco.mjtGeom.mjGEOM_BOX, at(0.25, 0.0, 0.1), (0.001, 0.5, 0.5))
    assert renderer.render(scene(duck(renderer), wall))[1] == []


def test_rendered_scene_does_not_depend_on_earlier_scenes(renderer: SceneRenderer) -> None:
    wanted = random_scene(np.random.default_rng(3), renderer.shapes())
    first, labels = renderer.render(wanted)
    renderer.render(random_scene(np.random.default_rng(4), renderer.shapes()))
    again, same_labels = renderer.render(wanted)
    assert np.array_equal(first, again)
    assert labels == same_labels
