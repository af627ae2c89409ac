"""Tools and Hypothesis strategies that generate matching permission rules and calls."""

from hypothesis import strategies as st
from pydantic import ValidationError

from reachy_agent_ros.agent.permissions.policy import Condition, PermissionRule, PermissionTier
from reachy_agent_ros.tools.protocol.tools import ToolDescription, ToolOrigin


def _schema(**properties: object) -> dict[str, object]:
    return {"type": "object", "properties": properties, "additionalProperties": False}


MOVE_HEAD = ToolDescription(
    "move_head",
    "Turns the head.",
    _schema(
        yaw_deg={"type": "number", "minimum": -180, "maximum": 180, "default": 0.0},
        duration_s={"type": "number", "minimum": 0, "maximum": 10, "default": 0.0},
    ),
    5.0,
)
DANCE = ToolDescription("dance", "Dances.", _schema(dance={"type": "string"}), 60.0)
ERASE = ToolDescription("erase", "Erases.", _schema(), 5.0, needs_approval=True)
WAVE = ToolDescription("wave", "Waves.", _schema(speed={"type": "number"}), 5.0, origin=ToolOrigin.GENERATED)
STOP = ToolDescription("stop", "Stops.", _schema(), 5.0)
TOOLS = (MOVE_HEAD, DANCE, ERASE, WAVE, STOP)

PATTERNS = st.text("ab*", min_size=1, max_size=4)
NUMBERS = st.integers(0, 3).map(float)
TIERS = st.sampled_from(PermissionTier)


@st.composite
def conditions(draw: st.DrawFn) -> Condition:
    ends = draw(st.dictionaries(st.sampled_from(["above", "at_least", "below", "at_most"]), NUMBERS, min_size=1))
    try:
        return Condition(**ends)
    except ValidationError:
        return Condition(one_of=list(ends.values()))


@st.composite
def rules(draw: st.DrawFn) -> PermissionRule:
    return PermissionRule(
        tuple(draw(st.lists(PATTERNS, min_size=1, max_size=2))),
        draw(TIERS),
        draw(st.dictionaries(st.sampled_from(["x", "y"]), conditions(), max_size=2)),
        draw(st.frozensets(st.sampled_from(ToolOrigin), min_size=1)),
    )


@st.composite
def calls(draw: st.DrawFn) -> tuple[ToolDescription, dict[str, object]]:
    name = draw(st.text("abc", min_size=1, max_size=4))
    tool = ToolDescription(name, "", {"type": "object"}, 1.0, origin=draw(st.sampled_from(ToolOrigin)))
    values = st.none() | NUMBERS | st.text(max_size=1)
    return tool, draw(st.dictionaries(st.sampled_from(["x", "y"]), values))
