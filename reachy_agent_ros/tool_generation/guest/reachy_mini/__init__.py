"""Stand-in for the Reachy Mini SDK: its names, units, defaults and shapes, as far as tools may use them."""

from .robot import ReachyMini

__all__ = ["ReachyMini"]
