"""Background import of the OpenAI Agents SDK, which takes more than a second and is not needed by the reflex.

Modules that import the SDK are themselves imported at their first use, after `load`.
"""

from __future__ import annotations

import asyncio
import importlib


async def load() -> None:
    """Imports the SDK once, in a thread. Otherwise the first turn that needs it would block the event loop."""
    await asyncio.to_thread(importlib.import_module, "reachy_agent_ros.agent.conversation.model_turn")
