"""Script of a visit: sentences of the person, and responses of the scripted model."""

from __future__ import annotations

from typing import Any

from reachy_agent_msgs.srv import BranchSession, SetPersona

from evaluation.conversation.mind_exchange import ASKS, Exchange
from reachy_agent_ros.core import names
from reachy_agent_ros.testing.scripted_endpoint import ScriptedAnswer

GUARDED = ("take_photo", "rotate_body")
"""Tools that require approval."""

RULES = f"""\
default: autonomous
rules:
  - tools: {GUARDED[0]}
    tier: confirm
    because: people nearby should agree to a photo
  - tools: {GUARDED[1]}
    tier: confirm
    because: there may be a cup beside it
"""


def _call(tool: str, **arguments: Any) -> ScriptedAnswer:
    return ScriptedAnswer(calls=((tool, arguments),))


def _finish(number: str, observed: str, as_expected: bool = True) -> ScriptedAnswer:
    return _call("finish_step", number=number, observed=observed, as_expected=as_expected)


def _step(title: str, expectation: str, **others: Any) -> dict[str, Any]:
    return {"title": title, "expectation": expectation, **others}


_ROBOT, _MEMORY = _call("transfer_to_robot"), _call("transfer_to_memory")
_PHOTO = _call("take_photo")
_PLAN = _call(
    "make_plan",
    goal="Look at the unicorn, dance, and show joy.",
    steps=[
        _step("look at the unicorn", "the unicorn is in the middle of the picture"),
        _step("dance the spirals", "the dance came to its end"),
        _step("show joy", "the emotion was shown"),
    ],
)
_NO_UNICORN = _call(
    "revise_plan",
    reason="There is no unicorn here.",
    replace=[_step("look to the right instead", "the head points to the right", number="1")],
)
_OTHER_DANCE = _call(
    "revise_plan",
    reason="The person wants the other dance.",
    replace=[_step("dance the simple nod", "the dance came to its end", number="2")],
)

EXCHANGES = (
    Exchange(
        "small talk, by the model",
        "what do you think of rainy days?",
        (ScriptedAnswer("I like how the rain sounds."),),
        reply="I like how the rain sounds.",
    ),
    Exchange("a command, by reflex, without a model", "look left", reply="I looked to the left.", tools=("move_head",)),
    Exchange(
        "a call that needs a yes, and gets it",
        "my album needs a picture of this desk, please",
        (_ROBOT, _PHOTO, ScriptedAnswer("The picture is in your album.")),
        answers="yes",
        reply="The picture is in your album.",
        tools=("take_photo",),
        states=ASKS,
    ),
    Exchange(
        "a call that is refused",
        "the album needs a second view of this desk",
        (_ROBOT, _PHOTO, ScriptedAnswer("Then I leave it.")),
        answers="no",
        reply="Then I leave it.",
        states=ASKS,
    ),
    Exchange(
        "a yes for the whole conversation",
        "one more for the album after all",
        (_ROBOT, _PHOTO, ScriptedAnswer("There it is.")),
        answers="yes, for this session",
        reply="There it is.",
        tools=("take_photo",),
        states=ASKS,
        granted="take_photo",
    ),
    Exchange(
        "and nobody is asked any more",
        "and a last one for the album",
        (_ROBOT, _PHOTO, ScriptedAnswer("And there it is.")),
        reply="And there it is.",
        tools=("take_photo",),
        granted="take_photo",
    ),
    Exchange(
        "a fact is remembered",
        "please remember that I drink green tea",
        (_MEMORY, _call("remember", key="favorite drink", text="green tea"), ScriptedAnswer("I will remember it.")),
        reply="I will remember it.",
        tools=("remember",),
        granted="take_photo",
    ),
    Exchange(
        "several steps become a plan; one fails, the plan is revised, the person interrupts",
        "please look at the unicorn first, then dance a little, and at the end show me how happy you are",
        (
            _ROBOT,
            _PLAN,
            _call("begin_step", number="1"),
            _call("look_at_object", name="unicorn"),
            _finish("1", "no unicorn in view", as_expected=False),
            _NO_UNICORN,
            _call("begin_step", number="1"),
            _call("move_head", yaw_deg=-30),
            _finish("1", "the head points to the right"),
            _call("begin_step", number="2"),
            _call("dance", dance="interwoven_spirals"),
        ),
        interrupted_at="x>.",
        tools=(
            *("make_plan", "begin_step", "look_at_object!", "finish_step", "revise_plan"),
            *("begin_step", "move_head", "finish_step", "begin_step", "dance!"),
        ),
        plans=("...", ">..", "...", ">..", "x..", "x>."),
        granted="take_photo",
        error="CANCELED",
    ),
    Exchange(
        "a correction changes the running plan",
        "no, the other one",
        (
            _OTHER_DANCE,
            _ROBOT,
            _call("begin_step", number="2"),
            _call("dance", dance="simple_nod"),
            _finish("2", "the dance came to its end"),
            _call("begin_step", number="3"),
            _call("express_emotion", emotion="joy"),
            _finish("3", "the emotion was shown"),
            ScriptedAnswer("I danced the other one, and I am happy."),
        ),
        reply="I danced the other one, and I am happy.",
        tools=(
            *("revise_plan", "begin_step", "dance", "finish_step"),
            *("begin_step", "express_emotion", "finish_step"),
        ),
        plans=("x..", "x>.", "xx.", "xx>", "xxx"),
        granted="take_photo",
        known="2. dance the spirals [pending]",
        told="please look at the unicorn first",
    ),
    Exchange(
        "the agent is killed while it asks; the next one asks again, gets the answer and continues",
        "could your whole self face the window, please?",
        (_ROBOT, _call("rotate_body", yaw_deg=20), ScriptedAnswer("I face the window.")),
        answers="yes",
        killed=True,
        reply="I face the window.",
        tools=("rotate_body",),
        states=(*ASKS[:2], *ASKS[1:]),
        plans=("", ""),
    ),
    Exchange(
        "a fact from before the restart is known and found",
        "what do I drink in the morning?",
        (_MEMORY, _call("recall", query="what the person drinks"), ScriptedAnswer("You drink green tea.")),
        reply="You drink green tea.",
        tools=("recall",),
        known="favorite drink: green tea",
        told="told in conversation default",
    ),
    Exchange(
        "a branch of the conversation knows its own messages",
        "let us pretend that I drink coffee",
        (ScriptedAnswer("Very well, coffee it is."),),
        session="what-if",
        service=(names.BRANCH_SESSION, BranchSession.Request(session_id="default", branch_id="what-if")),
        reply="Very well, coffee it is.",
        told="I like how the rain sounds.",
    ),
    Exchange(
        "and the conversation itself knows nothing of the branch",
        "so what was it that I like?",
        (ScriptedAnswer("Tea, as you told me."),),
        reply="Tea, as you told me.",
        told="You drink green tea.",
        untold="coffee",
    ),
    Exchange(
        "another persona speaks in another manner",
        "how are you today?",
        (ScriptedAnswer("Fine."),),
        session="quiet",
        service=(names.SET_PERSONA, SetPersona.Request(name="companion")),
        reply="Fine.",
        persona="companion",
        told="calm and sparing with words",
    ),
    Exchange(
        "and refuses what it does not do",
        "take a photo",
        session="quiet",
        reply="I do not take a photo in my current persona.",
        tools=("take_photo!",),
        persona="companion",
        error="TOOL_DISABLED",
    ),
)
