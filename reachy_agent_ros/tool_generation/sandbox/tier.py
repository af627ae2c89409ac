"""How a box is closed on this host."""

from __future__ import annotations

from enum import StrEnum


class Tier(StrEnum):
    """From the strongest; what is weaker than these is no box."""

    NAMESPACES = "namespaces"
    """bubblewrap, system call filters and resource limits."""

    LANDLOCK = "landlock"
    """No namespaces: Landlock, system call filters, resource limits and a user of its own. People review each tool."""
