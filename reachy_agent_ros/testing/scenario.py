"""Scenarios: what is said and shown to the robot, and what must happen then."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from reachy_agent_ros.core.errors import ErrorCode


def _known_code(name: str) -> str:
    if name not in ErrorCode.__members__:
        raise ValueError(f"there is no error {name}")
    return name


Code = Annotated[str, AfterValidator(_known_code)]
"""Name of an entry of `core.errors.ErrorCode`."""

Words = Annotated[str, Field(min_length=1)]


class ScenarioPart(BaseModel):
    """Base of all parts: what is not described here is an error, and nothing is converted."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class ScriptedCall(ScenarioPart):
    """A call that the scripted model writes.

    Attributes:
        tool: Name of a tool or handoff; it need not exist.
        arguments: An object; text is sent as it is, however malformed.
    """

    tool: Words
    arguments: dict[str, Any] | str = Field(default_factory=dict)


class ModelAnswer(ScenarioPart):
    """One answer of the scripted model, see `scripted_endpoint.ScriptedAnswer`.

    Attributes:
        text: What it says.
        times: How often that is repeated.
        calls: What it calls.
        finish: Finish reason, empty for the one that fits.
        status: HTTP status.
        breaks_off: Whether the connection breaks in the middle.
        delay: s before it begins.
        raw: Body instead of a completion, None for none.
        spare: Whether nothing is wrong if it is never asked for.
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
    """A tool call that must be made.

    Attributes:
        tool: Name.
        arguments: What it must be called with; what is left out must have its default. None for anything.
        within: How far a number may be off, by argument; 0.5 where it is not named.
        fails: Error it must end with, None if it must succeed.
    """

    tool: Words
    arguments: dict[str, Any] | None = None
    within: dict[str, float] = Field(default_factory=dict)
    fails: Code | None = None


class Reply(ScenarioPart):
    """What a reply must be like; letter case does not matter.

    Attributes:
        contains: All of these.
        lacks: None of these: what must not be claimed, above all.
        at_most: Characters.
    """

    contains: list[Words] = []
    lacks: list[Words] = []
    at_most: int = Field(default=100_000, ge=1)


class ToolDecision(ScenarioPart):
    """What a person does with a tool that the robot wrote, as by `reachy-agent tools`.

    Attributes:
        what: `approve` or `reject` of its newest version, or `rollback` to the version before the one that runs.
        tool: Its name.
    """

    what: Literal["approve", "reject", "rollback"]
    tool: Words


class ShownPosture(ScenarioPart):
    """A posture of a demonstration; what is not named is neutral.

    Attributes:
        at: s since it began.
        roll_deg: Of the head; likewise the other two.
        antenna_right_deg: 0 is upright; likewise the left one.
    """

    at: float = Field(ge=0.0, le=60.0)
    roll_deg: float = 0.0
    pitch_deg: float = 0.0
    yaw_deg: float = 0.0
    antenna_right_deg: float = 0.0
    antenna_left_deg: float = 0.0


class ShownSkill(ScenarioPart):
    """What a person shows the robot, and has it trained on, before they say something.

    Attributes:
        skill: Name of what is shown.
        prompt: What it is, in words.
        postures: Between which the body moves straight on, in order.
    """

    skill: Words
    prompt: Words
    postures: Annotated[list[ShownPosture], Field(min_length=2)]


class ExpectedGaze(ScenarioPart):
    """Where the head must look, seen by somebody who knows the truth.

    Attributes:
        thing: On the desk.
        at_least: Degrees that it must be off.
        at_most: Degrees that it may be off.
    """

    thing: Words
    at_least: float = Field(default=0.0, ge=0.0)
    at_most: float = Field(default=180.0, gt=0.0)


class ScenarioTurn(ScenarioPart):
    """One sentence, and what must come of it.

    Attributes:
        say: What the person says.
        when: When they say it: once the turn before has `ended`, `at_once` with it, or while it is `acting` (its tool
            runs) or `thinking` (a model has been asked).
        waits: Whether it waits for a running turn, or would rather be refused.
        decides: What the person does about a tool before they say it, None for nothing.
        shows: What the person shows before they say it, None for nothing.
        approval: What a person answers who is asked for an approval meanwhile.
        model: What the scripted model answers.
        tools: Calls that must be made, in order; no other may be.
        most_tools: How many calls may be made instead, whichever; None where `tools` says which.
        reply: What must be answered.
        agent: Who must answer, empty for anyone.
        errors: One of these the turn must end with; none of them means without an error.
        told: What the model must have been told, in the last request of the turn.
        model_calls: How often a model must be asked, None for as often as it likes.
        gaze: Where the head must look once it is at rest after the turn, None for anywhere.
        reaches: How far it must come from neutral meanwhile, by the names of `End.posture`, within 10.
        seconds: Time it may take.
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
    """What is shown, and how the robot is found.

    Attributes:
        desk: Where things stand, x and y in m in `base_link`, by name; None for no desk. Things that are not named
            stand where the scene has them.
        view: What a vision model would say of any picture; empty where there is none.
        blind: Whether the camera does not answer.
        stopped: Whether the emergency stop is latched.
        confirm: Tools that need a person's yes.
        disabled: Tools that are out of use.
        tool_review: Which of the tools that it writes a person has to approve before they run, as
            `tool_generation.toolsmith` has it; None where it cannot write any.
        learns: Whether what people say of what it does, and show it, teaches it.
        eye_askew_deg: Pitch (positive down) and yaw (positive left) by which its eye sits askew without its knowing.
        gestures_rated: Gestures that people were content with before; from 100 on it tries out other ways.
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
    """How the robot must be found when all turns are over.

    Attributes:
        posture: Measured angles in degrees and shifts in mm, by the names that `get_robot_state` gives them.
        within: How far each may be off.
        looking_at: Thing on the desk that must be within 5 degrees of the eye's axis, empty for none.
        spoken: What must have been spoken on request, in order; None for anything.
        registered: Every tool that the robot wrote and kept, with the version that runs, 0 where a person has not
            approved any; None for anything.
        ways: At least so many different ways in which gestures must have been made.
    """

    posture: dict[str, float] = Field(default_factory=dict)
    within: float = Field(default=3.0, gt=0.0)
    looking_at: str = ""
    spoken: list[str] | None = None
    registered: dict[str, int] | None = None
    ways: int = Field(default=0, ge=0)


class Scenario(ScenarioPart):
    """One scenario.

    Attributes:
        name: Unique, a sentence that says what must happen.
        benchmark: Number of the benchmark task it is an instance of, None for none.
        scripted: Whether it is about the model's server failing or misbehaving, and says nothing of a real one.
        seconds: Time one turn may take by the mind's own clock; 0 for the usual.
        world: What is shown.
        turns: What is said.
        end: How the robot must be found.
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
            raise ValueError("decides and registered are about tools that it writes: world needs a tool_review")
        return self

    @model_validator(mode="after")
    def _learns_what_it_is_shown(self) -> Self:
        shown = any(turn.shows for turn in self.turns) or self.world.gestures_rated or self.end.ways
        if shown and not self.world.learns:
            raise ValueError("shows, gestures_rated and ways are about what it learns: world needs learns")
        return self

    @property
    def needs_model(self) -> bool:
        """Whether the reflex alone cannot do it."""
        return any(turn.model for turn in self.turns)
