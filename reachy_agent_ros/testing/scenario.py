"""Scenarios: sentences to the robot, and the expected behavior."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from reachy_agent_ros.core.errors import ErrorCode


def _known_code(name: str) -> str:
    if name not in ErrorCode.__members__:
        raise ValueError(f"unknown error code {name}")
    return name


Code = Annotated[str, AfterValidator(_known_code)]
"""Name of an entry of `core.errors.ErrorCode`."""

Words = Annotated[str, Field(min_length=1)]


class ScenarioPart(BaseModel):
    """Base of all parts of a scenario. Rejects unknown fields and does not convert types."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class ScriptedCall(ScenarioPart):
    """Tool call that the scripted model makes.

    Attributes:
        tool: Name of a tool or handoff, possibly unknown.
        arguments: An object; text is sent unchanged, even if malformed.
    """

    tool: Words
    arguments: dict[str, Any] | str = Field(default_factory=dict)


class ModelAnswer(ScenarioPart):
    """Answer of the scripted model. See `scripted_endpoint.ScriptedAnswer`.

    Attributes:
        text: Text of the answer.
        times: Number of repetitions of the text.
        calls: Tool calls.
        finish: Finish reason, empty for the default.
        status: HTTP status.
        breaks_off: Whether the connection is closed in the middle of the answer.
        delay: Time before the answer starts, s.
        raw: Body to send instead of a completion; None for a completion.
        spare: Whether the answer is optional.
    """

    text: str = ""
    times: int = Field(default=1, ge=1, le=1_000_000)
    calls: list[ScriptedCall] = []
    finish: str = ""
    status: int = Field(default=200, ge=100, le=599)
    breaks_off: bool = False
    delay: float = Field(default=0.0, ge=0.0, le=30.0)
    raw: str | None = None
    spare: bool = False


class ExpectedCall(ScenarioPart):
    """Expected tool call.

    Attributes:
        tool: Name of the tool.
        arguments: Expected arguments; others must have their defaults. None for any arguments.
        within: Tolerance of numbers by argument; 0.5 by default.
        fails: Expected error, None for success.
    """

    tool: Words
    arguments: dict[str, Any] | None = None
    within: dict[str, float] = Field(default_factory=dict)
    fails: Code | None = None


class Reply(ScenarioPart):
    """Expected reply. Upper and lower case are treated as equal.

    Attributes:
        contains: Texts that must all occur.
        lacks: Texts that must not occur, especially false claims.
        at_most: Maximum length, characters.
    """

    contains: list[Words] = []
    lacks: list[Words] = []
    at_most: int = Field(default=100_000, ge=1)


class ToolDecision(ScenarioPart):
    """Review decision about a generated tool, as a user would make it with `reachy-agent tools`.

    Attributes:
        what: `approve` or `reject` the newest version, or `rollback` to the version before the active one.
        tool: Name of the tool.
    """

    what: Literal["approve", "reject", "rollback"]
    tool: Words


class ShownPosture(ScenarioPart):
    """Posture of a demonstration. Coordinates that are not given are neutral.

    Attributes:
        at: Time since the start, s.
        roll_deg: Roll of the head, degrees; `pitch_deg` and `yaw_deg` in the same way.
        antenna_right_deg: Angle of the right antenna, degrees, 0 is upright; `antenna_left_deg` in the same way.
    """

    at: float = Field(ge=0.0, le=60.0)
    roll_deg: float = 0.0
    pitch_deg: float = 0.0
    yaw_deg: float = 0.0
    antenna_right_deg: float = 0.0
    antenna_left_deg: float = 0.0


class ShownSkill(ScenarioPart):
    """Demonstration from which the robot learns before the turn.

    Attributes:
        skill: Name of the skill.
        prompt: Description in words.
        postures: Postures in order, connected by linear interpolation.
    """

    skill: Words
    prompt: Words
    postures: Annotated[list[ShownPosture], Field(min_length=2)]


class ExpectedGaze(ScenarioPart):
    """Expected direction of the robot's gaze in the simulation, regardless of what the robot says.

    Attributes:
        thing: Object on the desk.
        at_least: Minimum angle from the object, degrees.
        at_most: Maximum angle from the object, degrees.
    """

    thing: Words
    at_least: float = Field(default=0.0, ge=0.0)
    at_most: float = Field(default=180.0, gt=0.0)


class ScenarioTurn(ScenarioPart):
    """Sentence of a user, and the expected behavior.

    Attributes:
        say: The sentence.
        when: Time of the sentence: after the previous turn has `ended`, `at_once` with it, or while it is `acting` (its
            tool moves the robot) or `thinking` (a model request was sent).
        waits: Whether to wait for a running turn instead of being rejected.
        decides: Decision about a generated tool before the sentence, None for none.
        shows: Demonstration before the sentence, None for none.
        approval: Answer to a request for approval during the turn.
        model: Answers of the scripted model.
        tools: Expected tool calls in order; no others are allowed.
        most_tools: Maximum number of calls of any tools, instead of `tools`; None if `tools` applies.
        reply: Expected reply.
        agent: Expected agent, empty for any.
        errors: Allowed errors, one of which must occur; empty for no error.
        told: Texts that the last model request of the turn must contain, if there is one.
        model_calls: Expected number of model requests, None for any.
        gaze: Expected gaze at rest after the turn, None for any.
        reaches: Expected maximum deviations from neutral during the turn, degrees or mm, by the names of
            `End.posture`; tolerance 10.
        seconds: Maximum duration, s.
    """

    say: str
    when: Literal["ended", "at_once", "acting", "thinking"] = "ended"
    waits: bool = True
    decides: ToolDecision | None = None
    shows: ShownSkill | None = None
    approval: Literal["given", "refused", "none"] = "none"
    model: list[ModelAnswer] = []
    tools: list[ExpectedCall] = []
    most_tools: int | None = Field(default=None, ge=0)
    reply: Reply = Reply()
    agent: str = ""
    errors: list[Code] = []
    told: list[Words] = []
    model_calls: int | None = Field(default=None, ge=0)
    gaze: ExpectedGaze | None = None
    reaches: dict[str, float] = Field(default_factory=dict)
    seconds: float = Field(default=20.0, gt=0.0, le=120.0)


class World(ScenarioPart):
    """Initial state of the robot and its environment.

    Attributes:
        desk: Positions of objects by name, x and y in `base_link`, m; None for no desk. Other objects are at their
            positions in the scene.
        view: Answer of a vision model for any image; empty if there is no vision model.
        blind: Whether the camera does not respond.
        stopped: Whether the emergency stop is latched.
        confirm: Tools that require approval.
        disabled: Disabled tools.
        tool_review: Generated tools that require approval, as `generator.ReviewPolicy`; None if tools cannot be
            generated.
        learns: Whether the robot learns from feedback and demonstrations.
        eye_askew_deg: Unknown mounting error of the camera: pitch (positive down) and yaw (positive left), degrees.
        gestures_rated: Number of earlier positive ratings of gestures; from 100 on, the robot tries variations.
    """

    desk: dict[str, Annotated[list[float], Field(min_length=2, max_length=2)]] | None = None
    view: str = ""
    blind: bool = False
    stopped: bool = False
    confirm: list[Words] = []
    disabled: list[Words] = []
    tool_review: Literal["never", "acting", "always"] | None = None
    learns: bool = False
    eye_askew_deg: Annotated[list[float], Field(min_length=2, max_length=2)] = [0.0, 0.0]
    gestures_rated: int = Field(default=0, ge=0, le=500)


class End(ScenarioPart):
    """Expected state of the robot after all turns.

    Attributes:
        posture: Measured angles in degrees and offsets in mm, by the names of `get_robot_state`.
        within: Tolerance of each value.
        looking_at: Object that must be within 5 degrees of the optical axis, empty for none.
        spoken: Texts spoken on request, in order; None for any.
        registered: All registered generated tools with their active version, 0 if none is approved; None for any.
        ways: Minimum number of different variations of gestures.
    """

    posture: dict[str, float] = Field(default_factory=dict)
    within: float = Field(default=3.0, gt=0.0)
    looking_at: str = ""
    spoken: list[str] | None = None
    registered: dict[str, int] | None = None
    ways: int = Field(default=0, ge=0)


class Scenario(ScenarioPart):
    """Scenario that consists of one or more turns.

    Attributes:
        name: Unique sentence that describes the expected behavior.
        benchmark: Number of the benchmark task, None for none.
        scripted: Whether it tests failures of the model's server, and is skipped with a real server.
        seconds: Time limit of a turn in the agent, s; 0 for the default.
        world: Initial state.
        turns: Turns in order.
        end: Expected final state.
    """

    name: Words
    benchmark: int | None = Field(default=None, ge=1, le=15)
    scripted: bool = False
    seconds: float = Field(default=0.0, ge=0.0, le=120.0)
    world: World = World()
    turns: Annotated[list[ScenarioTurn], Field(min_length=1)]
    end: End = End()

    @model_validator(mode="after")
    def _writes_what_it_judges(self) -> Self:
        judges = self.end.registered is not None or any(turn.decides for turn in self.turns)
        if judges and self.world.tool_review is None:
            raise ValueError("decides and registered require tool_review in world")
        return self

    @model_validator(mode="after")
    def _learns_what_it_is_shown(self) -> Self:
        shown = any(turn.shows for turn in self.turns) or self.world.gestures_rated or self.end.ways
        if shown and not self.world.learns:
            raise ValueError("`shows`, `gestures_rated` and `ways` require `learns` in `world`")
        return self

    @property
    def needs_model(self) -> bool:
        """Whether the scenario needs a language model, because the reflex cannot handle all of its turns."""
        return any(turn.model for turn in self.turns)
