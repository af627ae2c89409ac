"""The Reachy Mini's SDK as tools see it: its names, units, defaults and shapes, as far as a tool may go."""

from .robot import ReachyMini

__all__ = ["ReachyMini"]
