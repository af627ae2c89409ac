"""All tools of the memory specialist.

None of them takes in a document: nobody says a path aloud, and a model that was talked into one by a web page could
read any text file of the person's. `reachy-agent memory documents add` does it.
"""

from __future__ import annotations

from typing import Any

from reachy_agent_ros.agent.memory.fact_tools import fact_tools
from reachy_agent_ros.agent.memory.memory import Memory
from reachy_agent_ros.agent.memory.note_tools import note_tools
from reachy_agent_ros.agent.memory.notes import Notes
from reachy_agent_ros.agent.memory.recall_tools import recall_tools
from reachy_agent_ros.agent.toolbox.own_tools import OwnTool


def memory_tools(memory: Memory, notes: Notes) -> list[OwnTool[Any]]:
    """Tools to remember, recall and forget, to keep notes, and to search documents.

    Args:
        memory: What is remembered.
        notes: The folder of notes.
    """
    return [*fact_tools(memory), *recall_tools(memory, notes), *note_tools(memory, notes)]
