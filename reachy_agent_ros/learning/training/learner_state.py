"""Converts networks, optimizers and random states to arrays and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.optim import Optimizer

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.training.checkpoint import Arrays


class LearnerState:
    """State of a learner, including the global random states of PyTorch and NumPy.

    Args:
        modules: Networks by name.
        optimizers: Adam optimizers by name.
        generators: NumPy generators by name.
    """

    def __init__(
        self,
        modules: Mapping[str, nn.Module],
        optimizers: Mapping[str, Optimizer],
        generators: Mapping[str, np.random.Generator] | None = None,
    ) -> None:
        self._modules = modules
        self._optimizers = optimizers
        self._generators = generators or {}

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Returns the complete state as arrays for a checkpoint."""
        found: dict[str, NDArray[Any]] = {"random/torch": torch.get_rng_state().numpy()}
        _, key, place, has, gauss = np.random.get_state()  # stable-baselines3 draws from it
        found |= {
            "random/numpy": np.asarray(key),
            "random/place": np.array([place, has]),
            "random/gauss": np.array(gauss),
        }
        if _on_card():
            found["random/cuda"] = torch.stack(torch.cuda.get_rng_state_all()).numpy()
        for name, generator in self._generators.items():
            found[f"random/{name}"] = np.frombuffer(json.dumps(generator.bit_generator.state).encode(), np.uint8)
        for name, module in self._modules.items():
            found |= {f"{name}/{key}": _array(tensor) for key, tensor in module.state_dict().items()}
        for name, optimizer in self._optimizers.items():
            for index, state in optimizer.state_dict()["state"].items():
                found |= {f"{name}/{index}/{key}": _array(torch.as_tensor(value)) for key, value in state.items()}
        return found

    def restore(self, arrays: Arrays) -> None:
        """Restores the state from a checkpoint.

        Raises:
            AgentError: `POLICY_REJECTED` for a network with a different shape, in which case nothing is changed.
        """
        for name, module in self._modules.items():
            for key, tensor in module.state_dict().items():
                _require_shape(arrays, f"{name}/{key}", tuple(tensor.shape))
        for name, module in self._modules.items():
            module.load_state_dict({key: torch.as_tensor(arrays[f"{name}/{key}"]) for key in module.state_dict()})
        for name, optimizer in self._optimizers.items():
            state: dict[int, dict[str, torch.Tensor]] = {}
            for key, array in arrays.items():
                owner, _, rest = key.partition("/")
                if owner == name:
                    index, _, entry = rest.partition("/")
                    state.setdefault(int(index), {})[entry] = torch.as_tensor(array)
            optimizer.load_state_dict({**optimizer.state_dict(), "state": state})
        for name, generator in self._generators.items():
            generator.bit_generator.state = json.loads(arrays[f"random/{name}"].tobytes())
        place, has = arrays["random/place"].tolist()
        legacy = ("MT19937", arrays["random/numpy"], place, has, float(arrays["random/gauss"]))
        np.random.set_state(legacy)
        torch.set_rng_state(torch.as_tensor(arrays["random/torch"]))
        if _on_card() and "random/cuda" in arrays:
            torch.cuda.set_rng_state_all(list(torch.as_tensor(arrays["random/cuda"])))


def _require_shape(arrays: Arrays, name: str, shape: tuple[int, ...]) -> None:
    found = arrays[name].shape if name in arrays else None
    if found != shape:
        message = f"The checkpoint does not fit: {name} is {found or 'missing'}, expected {shape}."
        raise AgentError(ErrorCode.POLICY_REJECTED, message)


def _array(tensor: torch.Tensor) -> NDArray[Any]:
    array: NDArray[Any] = tensor.detach().cpu().numpy().copy()
    return array


def _on_card() -> bool:
    """Returns whether CUDA, which has its own random state, is in use. Does not initialize CUDA."""
    return bool(torch.cuda.is_initialized())  # type: ignore[no-untyped-call] # PyTorch has no types here
