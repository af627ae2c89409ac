import numpy as np

from training.desk_detector.random_scene import Shapes, random_scene
from training.desk_detector.scene import KINDS, Scene

CUBE = np.array([(x, y, z) for x in (-0.03, 0.03) for y in (-0.03, 0.03) for z in (-0.03, 0.03)])
SHAPES: Shapes = {kind: (np.eye(3), CUBE) for kind in KINDS}


def scenes(count: int) -> list[Scene]:
    return [random_scene(np.random.default_rng(seed), SHAPES) for seed in range(count)]


def test_random_scene_is_determined_by_seed() -> None:
    first, again = (random_scene(np.random.default_rng(7), SHAPES) for _ in range(2))
    assert np.array_equal(first.eye, again.eye)
    assert [t.pose.tolist() for t in first.things] == [t.pose.tolist() for t in again.things]


def test_objects_are_on_table_above_it_or_on_floor() -> None:
    lowest = np.array(
        [
            (CUBE @ thing.pose[:3, :3].T + thing.pose[:3, 3])[:, 2].min()
            for scene in scenes(100)
            for thing in scene.things
            if thing.shape in KINDS
        ]
    )
    assert np.all((lowest > -1e-6) | np.isclose(lowest, -0.8))
    assert np.mean(np.isclose(lowest, 0.0, atol=1e-6)) > 0.8


def test_random_scenes_cover_every_variation() -> None:
    drawn = scenes(200)
    objects = [[thing.shape for thing in scene.things if thing.shape in KINDS] for scene in drawn]
    assert [] in objects
    assert all(any(kind in found for found in objects) for kind in KINDS)
    assert any(len(scene.things) > len(found) for scene, found in zip(drawn, objects, strict=True))
    assert any(not scene.sky for scene in drawn)
    assert all(np.allclose(scene.eye[:3, :3] @ scene.eye[:3, :3].T, np.eye(3)) for scene in drawn)
    assert all(1 <= len(scene.lamps) <= 3 for scene in drawn)
