import numpy as np

from reachy_agent_ros.gateway.robot_model.glb import Mesh, read_stl, simplified
from reachy_agent_ros.robot.description import urdf_path


def points_on(mesh: Mesh, count: int) -> np.ndarray:
    random = np.random.default_rng(0)
    corners = mesh.vertices[mesh.faces].astype(np.float64)
    areas = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    chosen = corners[random.choice(len(corners), count, p=areas / areas.sum())]
    first, second = np.sqrt(random.random(count))[:, None], random.random(count)[:, None]
    return np.asarray(chosen[:, 0] * (1 - first) + chosen[:, 1] * first * (1 - second) + chosen[:, 2] * first * second)


def test_corners_at_one_place_are_one_vertex() -> None:
    mesh = read_stl(urdf_path().parent / "assets" / "antenna.stl")
    assert len(mesh.vertices) < len(mesh.faces) < 2 * len(mesh.vertices) + 100


def test_a_part_of_fewer_triangles_has_the_same_surface() -> None:
    full = read_stl(urdf_path().parent / "assets" / "head_front_3dprint.stl")
    small = simplified(full, 1800)
    assert len(small.faces) <= 1800
    surface = points_on(small, 40_000)
    distances = [np.linalg.norm(surface - point, axis=1).min() for point in points_on(full, 1_000)]
    assert np.quantile(distances, 0.99) < 0.0015  # the points of the surface are as far from each other


def test_a_part_that_is_small_enough_stays() -> None:
    full = read_stl(urdf_path().parent / "assets" / "b3b_eh.stl")
    assert simplified(full, 10_000) is full
