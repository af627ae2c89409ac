"""Deletion of a conversation and its plan."""

from __future__ import annotations

import asyncio
from contextlib import closing
from pathlib import Path

from reachy_agent_ros.agent.planning.plan_store import FILE_NAME as PLANS_FILE
from reachy_agent_ros.agent.planning.plan_store import PlanStore
from reachy_agent_ros.agent.sessions.session_store import FILE_NAME as SESSIONS_FILE
from reachy_agent_ros.agent.sessions.session_store import SessionStore


async def forget_conversation(directory: Path, session_id: str) -> bool:
    """Deletes a conversation and its plan. Conversations that branched from it remain.

    The robot may be running. It deletes its copy of the plan at the next turn in that conversation.

    Args:
        directory: State directory of the agent.
        session_id: Id of the conversation.

    Returns:
        Whether the file no longer contains any byte of the conversation; see `SessionStore.delete`.

    Raises:
        AgentError: `NOT_FOUND`, `STORAGE_FAILED`.
    """
    with closing(SessionStore(directory / SESSIONS_FILE)) as sessions:
        erased = await sessions.delete(session_id)
    await asyncio.to_thread(_forget_plan, directory, session_id)
    return erased


def _forget_plan(directory: Path, session_id: str) -> None:
    with closing(PlanStore(directory / PLANS_FILE)) as plans:
        plans.put(session_id, None)
