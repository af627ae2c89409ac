"""How loud, how fast and how long to speak, for whom and where."""

from __future__ import annotations

import numpy as np

from reachy_agent_ros.learning.environments.contextual_task import Context, ContextualTask
from reachy_agent_ros.learning.environments.course import Values
from reachy_agent_ros.learning.environments.parameter import Parameter
from reachy_agent_ros.learning.environments.specification import Quantity


def _context(values: Values, generator: np.random.Generator) -> Context:
    return [values["listener"], values["noise"], values["hurry"]]


def _best(context: Context) -> list[float]:
    """Louder to who is far or in noise, faster and shorter to who is in a hurry, but slower in noise."""
    listener, noise, hurry = context
    wanted = 0.4 * (listener - 1.5) + 1.2 * (noise - 0.5), 1.6 * hurry - 0.8 - 0.4 * noise, 0.8 - 1.6 * hurry
    return [min(max(share, -1.0), 1.0) for share in wanted]


def _error(context: Context, action: list[float]) -> float:
    return max(abs(best - chosen) for best, chosen in zip(_best(context), action, strict=True))


STYLE = ContextualTask(
    name="style",
    description="Speak as loud, as fast and as long as suits the listener.",
    parameters=(
        Parameter("listener", "m", (0.5, 2.0), (2.0, 3.0)),
        Parameter("noise", "1", (0.0, 0.6), (0.6, 0.9)),
        Parameter("hurry", "1", (0.0, 0.7), (0.7, 1.0)),
    ),
    observation=(Quantity("listener", "m"), Quantity("noise", "1"), Quantity("hurry", "1")),
    action=(Quantity("volume", "1"), Quantity("speed", "1"), Quantity("length", "1")),
    context=_context,
    error=_error,
    best=_best,
    tolerance=0.2,
    source="the specification's corrections of speech: louder, slower, shorter",
)
"""Actions are shares of each setting's range about its middle; the listener's wish is a rule of ours."""
