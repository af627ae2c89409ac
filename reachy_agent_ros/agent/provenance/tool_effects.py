"""What a tool's call does beyond the answer, which decides how far labelled data may lead to it."""

from __future__ import annotations

from enum import Enum

from reachy_agent_ros.tools.protocol.tools import Origin, ToolDescription


class Effect(Enum):
    """Classes of tools."""

    READ = "read"
    """Only tells the model something: nobody sees, hears or finds anything of it."""

    SEND = "send"
    """Sends its arguments to another machine or program."""

    TELL = "tell"
    """Speaks, or keeps text: what it does is in its text."""

    ACT = "act"
    """Everything else, unknown tools too."""


_READ = frozenset(
    {
        *("get_robot_state", "current_time", "detect_objects", "describe_image", "analyze_scene"),
        *("recall", "read_note", "search_documents", "read_tool"),
        # A plan changes nothing but the plan, which keeps its labels.
        *("make_plan", "begin_step", "finish_step", "revise_plan", "drop_plan"),
    }
)
_SEND = frozenset({"web_search"})
_TELL = frozenset({"speak", "remember", "write_note"})

REACTIONS = frozenset({"express_emotion", "gesture"})
"""Tools with which the robot shows, unasked, what it makes of something."""


def effect_of(tool: ToolDescription) -> Effect:
    """The class of a tool. A tool that is not part of this package, such as a plugin's, counts as one that acts."""
    if tool.origin is Origin.EXTERNAL:
        return Effect.SEND
    if tool.origin is Origin.GENERATED:
        return Effect.ACT
    known = ((_READ, Effect.READ), (_SEND, Effect.SEND), (_TELL, Effect.TELL))
    return next((effect for names, effect in known if tool.name in names), Effect.ACT)
