"""The OpenAI Agents SDK, loaded beside the work: it takes more than a second to import, and no reflex needs it.

Whatever imports it is itself imported where it is first used, after `load`.
"""

from __future__ import annotations

import asyncio
import importlib


async def load() -> None:
    """Imports it in a thread, once. Without this the first turn that needs it would halt the event loop."""
    await asyncio.to_thread(importlib.import_module, "reachy_agent_ros.agent.conversation.model_turn")
