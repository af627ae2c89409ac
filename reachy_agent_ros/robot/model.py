"""Loading MuJoCo models into as little memory as they need."""

from __future__ import annotations

import ctypes

import mujoco


def compile_model(spec: mujoco.MjSpec) -> mujoco.MjModel:
    """Compiles a model, and gives back what that took.

    MuJoCo's defaults leave 400 MB behind for the Reachy Mini, whose model has 84 MB: a cache of decoded meshes for the
    next model, and memory that the compiler's threads do not return. One thread without the cache is no slower.
    """
    mujoco.mj_setCacheCapacity(mujoco.mj_getCache(), 0)
    spec.compiler.usethread = 0
    model = spec.compile()
    _return_memory()
    return model


def _return_memory() -> None:
    """Hands free memory back to the system where the C library is glibc, which otherwise keeps it."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
