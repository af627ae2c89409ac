"""MuJoCo simulation of Reachy Mini and its scene, in simulated time."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Mapping, Sequence
from copy import copy
from functools import cache

import mujoco
import numpy as np

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import Matrix, Vector
from reachy_agent_ros.robot.description import scene_path
from reachy_agent_ros.robot.kinematics import JOINTS

OBJECTS = ("apple", "croissant", "duck", "table")
"""Names of the bodies in the scenes, other than the robot."""

_SETTLING_TIME = 4.0
"""Time that is simulated before the scene is used, s: the head rises within 1 s, and the apple rolls for 3 s."""

_WHOLE = mujoco.mjtState.mjSTATE_INTEGRATION
"""Components of the state on which the next step depends."""


class Simulation:
    """Simulated scene, which starts at rest with the joints at given positions.

    Args:
        scene: One of `description.SCENES`.
        joints: Initial positions of `kinematics.JOINTS`, rad.
        places: Positions of objects that differ from those in the scene file: x and y in the world by name, m.

    Raises:
        AgentError: The errors of `description.scene_path`; `INVALID_GOAL` for an object that cannot be placed.
    """

    def __init__(self, scene: str, joints: Vector, places: Mapping[str, tuple[float, float]] | None = None) -> None:
        self._model = copy(_model(scene))
        self._data = mujoco.MjData(self._model)
        self._timestep = float(self._model.opt.timestep)
        self._site = self._data.site("head")
        self._addresses = {name: int(self._model.joint(name).qposadr[0]) for name in JOINTS}
        self._speeds = {name: int(self._model.joint(name).dofadr[0]) for name in JOINTS}
        self._positions = np.array(list(self._addresses.values()))
        self._actuators = np.array([self._model.actuator(name).id for name in JOINTS])
        balls = [n for n in range(self._model.njnt) if self._model.jnt_type[n] == mujoco.mjtJoint.mjJNT_BALL]
        self._balls = {self._model.joint(n).name: int(self._model.jnt_qposadr[n]) for n in balls}
        names = {self._model.body(n).name for n in range(self._model.nbody)}
        self._objects = tuple(name for name in OBJECTS if name in names)
        self._head = int(self._model.site("head").bodyid[0])
        self._gain, self._bias = self._model.actuator_gainprm.copy(), self._model.actuator_biasprm.copy()
        self._friction = self._model.dof_frictionloss.copy()
        self._mass, self._inertia = self._model.body_mass.copy(), self._model.body_inertia.copy()
        self._shares = (1.0, 1.0, 1.0)
        self._weightless = self._model.body_gravcomp.copy()
        self.set_floating(False)
        for name, place in (places or {}).items():
            self._place(name, place)
        self._settle(joints)
        self._rest = np.empty(mujoco.mj_stateSize(self._model, _WHOLE))
        mujoco.mj_getState(self._model, self._data, self._rest, _WHOLE)
        # MuJoCo then skips objects at rest until something touches them, which makes a step a third shorter.
        self._model.opt.enableflags |= int(mujoco.mjtEnableBit.mjENBL_SLEEP)
        self._restore()

    @property
    def timestep(self) -> float:
        """Length of one step in seconds."""
        return self._timestep

    def step(self, count: int) -> None:
        """Advances the physics by `count` steps of `timestep`."""
        mujoco.mj_step(self._model, self._data, count)

    def rewind(self, strength: float = 1.0, friction: float = 1.0, head_mass: float = 1.0) -> None:
        """Restores the initial state exactly.

        Scales properties of the robot by factors relative to the values in the model.

        Args:
            strength: Strength of the motors.
            friction: Friction of all joints.
            head_mass: Mass of the head.
        """
        if (strength, friction, head_mass) != self._shares:
            self._become(strength, friction, head_mass)
        self.set_strength(1.0)
        self.set_floating(False)
        self._restore()

    def set_targets(self, joints: Vector) -> None:
        """Sets the target positions (rad) of the motors of `kinematics.JOINTS`."""
        self._data.ctrl[self._actuators] = joints

    def set_strength(self, share: float) -> None:
        """Scales the strength of the motors by a factor from 0 to 1. Friction and gravity do not change."""
        strength, *_ = self._shares
        self._model.actuator_gainprm[:] = share * strength * self._gain
        self._model.actuator_biasprm[:] = share * strength * self._bias

    def set_floating(self, floating: bool) -> None:
        """Enables or disables gravity compensation, which carries the robot's weight."""
        self._model.body_gravcomp[:] = self._weightless if floating else 0.0

    def push(self, torque: Vector) -> None:
        """Applies a torque (N m, in the axes of the world) to the head until `rewind`."""
        self._data.xfrc_applied[self._head, 3:] = torque

    def actuated(self) -> Vector:
        """Returns the positions (rad) of `kinematics.JOINTS`."""
        return np.asarray(self._data.qpos[self._positions])

    def joints(self) -> dict[str, float]:
        """Returns the positions (rad) of all joints of the URDF by name."""
        everything = self._data.qpos.tolist()
        positions = {name: everything[address] for name, address in self._addresses.items()}
        for name, address in self._balls.items():
            about_x, about_y, about_z = _hinge_angles(everything[address : address + 4])
            positions |= {f"{name}_x": about_x, f"{name}_y": about_y, f"{name}_z": about_z}
        return positions

    def joint_velocities(self) -> dict[str, float]:
        """Returns the velocities (rad/s) of all joints with a motor by name."""
        return {name: float(self._data.qvel[address]) for name, address in self._speeds.items()}

    def head(self) -> Matrix:
        """Returns the pose of the head's frame in the world as a 4x4 transform (m)."""
        return _transform(self._site.xmat, self._site.xpos)

    def objects(self) -> dict[str, Matrix]:
        """Returns the poses of all objects in the world by name, as 4x4 transforms (m).

        The origin of an object is the origin of its mesh.
        """
        return {name: _transform(self._data.body(name).xmat, self._data.body(name).xpos) for name in self._objects}

    def overlap(self) -> float:
        """Returns the maximum depth (m) by which bodies overlap, or 0 if no bodies touch."""
        return -float(self._data.contact.dist[: self._data.ncon].min(initial=0.0))

    def _restore(self) -> None:
        """Restores the initial state and wakes sleeping objects, so that equal commands always have equal effects."""
        mujoco.mj_resetData(self._model, self._data)
        mujoco.mj_setState(self._model, self._data, self._rest, _WHOLE)
        mujoco.mj_forward(self._model, self._data)

    def _become(self, strength: float, friction: float, head_mass: float) -> None:
        self._shares = strength, friction, head_mass
        self._model.dof_frictionloss[:] = friction * self._friction
        self._model.body_mass[self._head] = head_mass * self._mass[self._head]
        self._model.body_inertia[self._head] = head_mass * self._inertia[self._head]
        mujoco.mj_setConst(self._model, self._data)

    def _place(self, name: str, place: tuple[float, float]) -> None:
        body = self._model.body(name) if name in self._objects else None
        if body is None or body.jntnum[0] == 0:
            movable = [each for each in self._objects if self._model.body(each).jntnum[0]]
            message = f"Cannot place {name!r} in this scene: movable objects are {', '.join(movable) or 'none'}."
            raise AgentError(ErrorCode.INVALID_GOAL, message)
        address = self._model.jnt_qposadr[body.jntadr[0]]
        self._data.qpos[address : address + 2] = place

    def _settle(self, joints: Vector) -> None:
        """Moves the robot out of the model's folded default posture, in which parts of the robot overlap."""
        parts = [n for n in range(self._model.ngeom) if self._model.geom_contype[n] and not self._model.geom(n).name]
        contacts = self._model.geom_contype[parts].copy(), self._model.geom_conaffinity[parts].copy()
        self._model.geom_contype[parts] = self._model.geom_conaffinity[parts] = 0
        self._data.qpos[self._positions] = joints
        self.set_targets(joints)
        steps = round(_SETTLING_TIME / 2 / self.timestep)
        self.step(steps)
        self._model.geom_contype[parts], self._model.geom_conaffinity[parts] = contacts
        self.step(steps)


def compile_model(spec: mujoco.MjSpec) -> mujoco.MjModel:
    """Compiles a model, then returns the memory that the compiler used to the operating system.

    With MuJoCo's defaults, 400 MB stay allocated for Reachy Mini, whose model has 84 MB: a cache of decoded meshes for
    the next model, and memory held by the threads of the compiler. A single thread without the cache is equally fast.
    """
    mujoco.mj_setCacheCapacity(mujoco.mj_getCache(), 0)
    spec.compiler.usethread = 0
    model = spec.compile()
    _return_memory()
    return model


@cache
def _model(scene: str) -> mujoco.MjModel:
    """Compiles and caches the model of a scene, which takes 0.5 s. Each simulation modifies a separate copy."""
    specification = mujoco.MjSpec.from_file(str(scene_path(scene)))
    specification.compiler.discardvisual = True  # motion is the same with a model of 3 MB instead of 84 MB
    for body in specification.bodies:  # a model compiled without gravity compensation cannot use it later
        body.gravcomp = float(body.name not in (*OBJECTS, "world"))
    return compile_model(specification)


def _transform(rotation: Vector, position: Vector) -> Matrix:
    a, b, c, d, e, f, g, h, i = rotation.tolist()
    x, y, z = position.tolist()
    return np.array((a, b, c, x, d, e, f, y, g, h, i, z, 0.0, 0.0, 0.0, 1.0)).reshape(4, 4)


def _hinge_angles(quaternion: Sequence[float]) -> tuple[float, float, float]:
    """Converts the rotation of a ball joint to the angles (rad) of three URDF hinges about x, then y, then z.

    The rotation is a quaternion (w, x, y, z).
    """
    w, x, y, z = quaternion
    about_x = math.atan2(2 * (w * x - y * z), 1 - 2 * (x * x + y * y))
    about_y = math.asin(max(-1.0, min(1.0, 2 * (x * z + w * y))))
    about_z = math.atan2(2 * (w * z - x * y), 1 - 2 * (y * y + z * z))
    return about_x, about_y, about_z


def _return_memory() -> None:
    """Returns free memory to the operating system. Only glibc needs this, because it would keep the memory."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
