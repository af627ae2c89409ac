"""Imports the OpenAI Agents SDK in the background.

The import takes more than a second, and the reflex does not need the SDK.

Modules that import the SDK are themselves imported at their first use, after `load`.
"""

from __future__ import annotations

import asyncio
import importlib


async def load() -> None:
    """Imports the SDK once, in a thread, so that the first turn that needs the SDK does not block the event loop."""
    await asyncio.to_thread(importlib.import_module, "reachy_agent_ros.agent.conversation.model_turn")
