#!/usr/bin/env python3
"""Computes the distance field of the head, and writes reachy_agent_ros/robot/head_clearance.npz.

The meshes are from the package `reachy_mini`. The computation takes some minutes.

The head is everything rigidly attached to it except the antennas. A place counts as inside the head if it is inside the
collider, or if no path wider than 2 mm leads there from outside between the surfaces of the visual meshes. The shell is
the upper part of the body, colliders and visual meshes, as points. Only those points are kept that are nearest to the
head at some posture near a contact. Everything else on the body is more than 45 mm away from the head.

The command prints the error of the kept points at other postures than those at which they were chosen.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Iterator

import mujoco
import numpy as np
from numpy.typing import NDArray

from reachy_agent_ros.core.pose import BodyPose, Matrix, Vector, head_transform
from reachy_agent_ros.robot.description import scene_path
from reachy_agent_ros.robot.head_clearance import FILE, DistanceField, HeadClearance, Table
from reachy_agent_ros.robot.kinematics import BodyKinematics
from reachy_agent_ros.robot.pose_limits import HIGH, LOW

Mask = NDArray[np.bool_]

HEAD, BODY, SHELL, COLLIDER = "xl_330", "body_down_3dprint", "body_top_3dprint", "head_one_3dprint_collider"
NEUTRAL_HEIGHT = 0.177
"""Height of the head's frame above the ground in the neutral pose, m."""

SPACING = 0.003
"""Distance between two grid points of the field, m."""

BORDER = 0.025
"""Width of the field around the head, m."""

FAR = 0.025
"""Maximum distance from the head's surface in the field, m."""

VOXEL = 0.001
"""Spacing of the grid that separates inside from outside, m."""

BAND = 4
"""Number of voxels around a surface in which the nearest voxel that is certainly inside or outside decides."""

SAMPLES = 0.0006
"""Distance between two samples of the head's surface, m."""

SHELL_SAMPLES = 0.0015
LOWEST = 0.137
"""Height above the ground below which the shell is never near the head, m."""

NEAR = 0.006
"""Maximum distance of the postures from a contact, m."""

POINT_ERROR = 0.0003
"""Maximum error of the kept points at the postures at which they were chosen, m."""


class Meshes:
    """Meshes of the robot in the default pose of the model, in the world frame."""

    def __init__(self) -> None:
        self._model = mujoco.MjModel.from_xml_path(str(scene_path("empty")))
        self._data = mujoco.MjData(self._model)
        mujoco.mj_forward(self._model, self._data)
        self.head_origin: Vector = self._data.site("head").xpos.copy()

    def of(self, body: str, prefix: str = "") -> list[tuple[Matrix, Matrix]]:
        """Returns the vertices and faces of a body's meshes, for meshes whose names begin with a prefix."""
        found = []
        for geom in range(self._model.ngeom):
            if self._model.body(self._model.geom_bodyid[geom]).name == body:
                mesh = self._model.mesh(self._model.geom_dataid[geom])
                if mesh.name.startswith(prefix):
                    found.append(self._placed(geom, mesh))
        return found

    def _placed(self, geom: int, mesh: mujoco._structs._MjModelMeshViews) -> tuple[Matrix, Matrix]:
        first, count = int(mesh.vertadr[0]), int(mesh.vertnum[0])
        rotation = self._data.geom_xmat[geom].reshape(3, 3)
        faces = self._model.mesh_face[int(mesh.faceadr[0]) : int(mesh.faceadr[0] + mesh.facenum[0])]
        return self._model.mesh_vert[first : first + count] @ rotation.T + self._data.geom_xpos[geom], faces


def main() -> None:
    """Computes the distance field, selects the points, and prints their error."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--postures", type=int, default=20_000, help="postures near a contact (default: %(default)s)")
    count = parser.parse_args().postures
    meshes = Meshes()
    everything = shell_points(meshes)
    distances, origin = head_field(meshes)
    field = DistanceField(distances, origin, SPACING)
    clearance = HeadClearance(Table(field, everything))
    chosen = everything[_deciding(field, everything, list(near_contact(clearance, count, seed=1)))]
    kept = HeadClearance(Table(field, chosen))
    others = list(near_contact(clearance, count // 2, seed=2))
    errors = 1e3 * np.array([kept.distance(head) - clearance.distance(head) for head in others])
    print(f"{len(chosen)} of {len(everything)} points; field of {' x '.join(map(str, distances.shape))}")
    worst = np.percentile(errors, 99.9)
    print(f"error at {len(others)} other postures: mean {errors.mean():.3f} mm, 99.9 % below {worst:.3f} mm")
    print(f"greatest {errors.max():.3f} mm; neutral {1e3 * kept.distance(np.eye(4)):.1f} mm")
    steps = np.round(1e5 * distances).astype(np.int16)
    np.savez_compressed(FILE, distances=steps, origin=origin, spacing=SPACING, points=chosen.astype(np.float32))
    print(f"SHA-256 for head_clearance.py: {hashlib.sha256(FILE.read_bytes()).hexdigest()}")


def head_field(meshes: Meshes) -> tuple[Matrix, Vector]:
    """Returns signed distances from the head (m), and the first grid point (m) in the frame of the head."""
    surface = np.concatenate([_sampled(*mesh, SAMPLES) for mesh in meshes.of(HEAD)]) - meshes.head_origin
    corners, triangles = meshes.of(HEAD, COLLIDER)[0]
    collider = _faces(corners - meshes.head_origin, triangles)
    low, high = surface.min(axis=0) - BORDER, surface.max(axis=0) + BORDER
    shape = np.ceil((high - low) / SPACING).astype(int) + 1
    places = low + SPACING * np.indices(shape).reshape(3, -1).T
    depth = _heights(collider, places)
    near = _distances(places, surface)
    signs = _signs(places, surface, collider, low)
    outside = np.minimum(near, np.where(depth > 0.0, depth, np.inf))
    inside = np.minimum(near, np.where(depth < 0.0, -depth, np.inf))
    return np.where(signs > 0, outside, -inside).reshape(shape), low


def _signs(places: Matrix, surface: Matrix, collider: Matrix, low: Vector) -> Vector:
    """Returns the sign of the distance at each place: 1 outside the head, -1 inside.

    A cavity with an opening of two voxels or less counts as inside.
    """
    shape = tuple(np.ceil((places.max(axis=0) - low) / VOXEL).astype(int) + 1)
    wall = np.zeros(shape, bool)
    wall[tuple(np.round((surface - low) / VOXEL).astype(int).T)] = True
    wall = _beside(wall) | wall
    centers = low + VOXEL * np.indices(shape).reshape(3, -1).T
    solid = wall | (_heights(collider, centers) < 0.0).reshape(shape)
    outside = _flooded(~solid)
    within = ~outside & ~wall
    reach = np.indices((2 * BAND + 1,) * 3).reshape(3, -1).T - BAND
    reach = reach[np.argsort((reach * reach).sum(axis=1), kind="stable")]
    signs = np.zeros(len(places))
    cells = np.round((places - low) / VOXEL).astype(int)
    for step in reach:  # the nearest voxel that is certainly outside or inside decides
        at = tuple(np.clip(cells + step, 0, np.array(shape) - 1).T)
        signs = np.where(signs == 0.0, outside[at].astype(float) - within[at], signs)
    return np.where(signs == 0.0, -1.0, signs)


def _faces(corners: Matrix, triangles: Matrix) -> Matrix:
    """Returns the outward normal of each face of a convex mesh, and its negated distance from the origin."""
    normals = np.cross(*(corners[triangles[:, side]] - corners[triangles[:, 0]] for side in (1, 2)))
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return np.column_stack([normals, -(normals * corners[triangles[:, 0]]).sum(axis=1)])


def _heights(faces: Matrix, places: Matrix) -> Vector:
    """Returns the height of each place above the nearest face of a convex mesh. Negative heights are inside."""
    parts = np.array_split(places, len(places) // 50_000 + 1)
    return np.concatenate([(part @ faces[:, :3].T + faces[:, 3]).max(axis=1) for part in parts])


def shell_points(meshes: Meshes) -> Matrix:
    """Returns points (m) on the upper part of the body, relative to the neutral head pose.

    The points are in the frame of the turned body.
    """
    points = np.concatenate([_sampled(*mesh, SHELL_SAMPLES) for mesh in meshes.of(BODY, SHELL)])
    return points[points[:, 2] > LOWEST] - [0.0, 0.0, NEUTRAL_HEIGHT]


def near_contact(clearance: HeadClearance, count: int, seed: int) -> Iterator[Matrix]:
    """Yields reachable head poses, as transforms, whose distance from a contact is less than `NEAR`."""
    kinematics, generator = BodyKinematics(), np.random.default_rng(seed)
    while count:
        x, y, z, roll, pitch, yaw = (generator.choice([1.0, 0.7, 0.4]) * generator.uniform(LOW[:6], HIGH[:6])).tolist()
        head = head_transform(roll, pitch, yaw, x, y, z)
        if kinematics.reaches(BodyPose(head)) and abs(clearance.distance(head)) < NEAR:
            count -= 1
            yield head


def _deciding(field: DistanceField, points: Matrix, heads: list[Matrix]) -> list[int]:
    """Selects points whose minimum distance is nearly the minimum of all points at every posture.

    Returns the indices of the selected points.
    """
    tables = np.array([field.at((points - head[:3, 3]) @ head[:3, :3]) for head in heads], np.float32)
    nearest, least = tables.argmin(axis=1), tables.min(axis=1)
    chosen = [int(nearest[0])]
    found = tables[:, chosen[0]].copy()
    while (found - least).max() > POINT_ERROR:
        chosen.append(int(nearest[(found - least).argmax()]))
        found = np.minimum(found, tables[:, chosen[-1]])
    return chosen


def _flooded(free: Mask) -> Mask:
    """Returns the free voxels that are connected to the corner of the field. The corner is outside the head."""
    reached = np.zeros_like(free)
    reached[0, 0, 0] = True
    while True:
        grown = _beside(reached) & free | reached
        if (grown == reached).all():
            return reached
        reached = grown


def _beside(places: Mask) -> Mask:
    """Returns the voxels that are adjacent to one of the given voxels."""
    found = np.zeros_like(places)
    for axis in range(3):
        for step in (1, -1):
            moved = np.roll(places, step, axis)
            edge = [slice(None)] * 3
            edge[axis] = slice(0, 1) if step == 1 else slice(-1, None)
            moved[tuple(edge)] = False
            found |= moved
    return found


def _distances(places: Matrix, points: Matrix) -> Vector:
    """Returns the distance of each place from the nearest point, but at most `FAR`."""
    cubes = {tuple(cube): points[members] for cube, members in _members(points)}
    found = np.full(len(places), FAR)
    for cube, members in _members(places):
        around = [tuple(cube + step) for step in np.indices((3, 3, 3)).reshape(3, -1).T - 1]
        near = [cubes[one] for one in around if one in cubes]
        if near:
            others, some = np.concatenate(near), places[members]
            squares = (some * some).sum(axis=1)[:, None] + (others * others).sum(axis=1) - 2.0 * some @ others.T
            found[members] = np.minimum(FAR, np.sqrt(np.maximum(squares.min(axis=1), 0.0)))
    return found


def _members(points: Matrix) -> Iterator[tuple[Vector, Vector]]:
    """Yields the cubes of size `FAR` that contain points, and the indices of the points in each cube."""
    cubes, places = np.unique(np.floor(points / FAR).astype(int), axis=0, return_inverse=True)
    order = np.argsort(places.ravel(), kind="stable")
    yield from zip(cubes, np.split(order, np.cumsum(np.bincount(places.ravel()))[:-1]), strict=True)


def _sampled(vertices: Matrix, faces: Matrix, spacing: float) -> Matrix:
    """Returns random points on a mesh and its corners, with at most one point per cube of size `spacing`."""
    generator = np.random.default_rng(0)
    first, second, third = (vertices[faces[:, corner]] for corner in range(3))
    areas = np.linalg.norm(np.cross(second - first, third - first), axis=1) / 2.0
    chosen = generator.choice(len(faces), int(4.0 * areas.sum() / spacing**2), p=areas / areas.sum())
    across, along = generator.random((2, len(chosen), 1))
    outside = across + along > 1.0
    across, along = np.where(outside, 1.0 - across, across), np.where(outside, 1.0 - along, along)
    points = np.concatenate(
        [vertices, first[chosen] + across * (second - first)[chosen] + along * (third - first)[chosen]]
    )
    return points[np.unique((points / spacing).round().astype(int), axis=0, return_index=True)[1]]


if __name__ == "__main__":
    main()
