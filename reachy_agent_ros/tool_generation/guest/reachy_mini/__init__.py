"""Stand-in for the Reachy Mini SDK.

It has the names, units, defaults and array shapes of the SDK that tools may use.
"""

from .robot import ReachyMini

__all__ = ["ReachyMini"]
