"""How one robot differs from another, and from its model (domain randomisation, Tobin et al. 2017)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

Range = tuple[float, float]


@dataclass(frozen=True)
class Variation:
    """One robot.

    Attributes:
        strength: Of its motors' position control (kp), as a share of the model's.
        friction: Of its motors' joints, likewise.
        head_mass: Likewise.
        delay: Time after which it hears a command, s, in whole periods.
        noise: Standard deviation of what it senses, rad; a thousandth of a metre stands for a hundredth of a radian.
    """

    strength: float = 1.0
    friction: float = 1.0
    head_mass: float = 1.0
    delay: float = 0.0
    noise: float = 0.0


NOMINAL = Variation()
"""The model's own robot."""


@dataclass(frozen=True)
class Randomisation:
    """Ranges that a robot is drawn from at the start of every episode; units as for `Variation`."""

    strength: Range = (1.0, 1.0)
    friction: Range = (1.0, 1.0)
    head_mass: Range = (1.0, 1.0)
    delay: Range = (0.0, 0.0)
    noise: Range = (0.0, 0.0)

    def draw(self, generator: np.random.Generator) -> Variation:
        """One robot, all equally likely."""
        return Variation(
            generator.uniform(*self.strength),
            generator.uniform(*self.friction),
            generator.uniform(*self.head_mass),
            generator.uniform(*self.delay),
            generator.uniform(*self.noise),
        )


USUAL = Randomisation((0.8, 1.2), (0.5, 1.5), (0.9, 1.1), (0.0, 0.1), (0.0, 0.005))
"""As far as one Reachy Mini may differ from the next, by our estimate: nobody has published a measurement."""
