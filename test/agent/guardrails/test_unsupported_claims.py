from collections.abc import Iterator
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent import action_reports, phrases
from reachy_agent_ros.agent.guardrails.action_claims import DEEDS
from reachy_agent_ros.agent.guardrails.unsupported_claims import unsupported_claims
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.nlu.decision import Action

TABLE = Path(__file__).with_name("claims.tsv")


def rows() -> Iterator[tuple[set[str], list[tuple[str, bool]], str]]:
    for line in TABLE.read_text(encoding="utf-8").splitlines()[1:]:
        deeds, calls, reply = line.split("\t")
        called = [(call.lstrip("!"), not call.startswith("!")) for call in calls.split(",") if call]
        yield set(filter(None, deeds.split(","))), called, reply


def found(reply: str, calls: list[tuple[str, bool]]) -> set[str]:
    return {claim.deed for claim in unsupported_claims(reply, calls)}


def test_honest_reply_is_not_an_unsupported_claim() -> None:
    assert [(reply, wrong) for deeds, calls, reply in rows() if (wrong := found(reply, calls) - deeds)] == []


def test_finds_95_percent_of_false_claims() -> None:
    missed = [(reply, left) for deeds, calls, reply in rows() if (left := deeds - found(reply, calls))]
    claims = sum(len(deeds) for deeds, _, _ in rows())
    assert claims >= 145
    assert 1.0 - len(missed) / claims >= 0.95, missed


def test_correction_states_whether_action_was_missing_or_failed() -> None:
    (never,) = unsupported_claims("Sure! I took a photo of you.", [])
    assert (never.sentence, never.correction) == ("I took a photo of you.", "I have not taken a photo.")
    (failed,) = unsupported_claims("I took a photo of you.", [("take_photo", False)])
    assert failed.correction == "I could not take a photo."


@given(st.text())
def test_any_text_can_be_checked_for_claims(text: str) -> None:
    assert all(claim.sentence and claim.correction for claim in unsupported_claims(text, []))


@given(st.sampled_from([row for row in rows() if row[0]]), st.sampled_from(["?", ", or did I?"]))
def test_question_is_not_an_unsupported_claim(row: tuple[set[str], list[tuple[str, bool]], str], end: str) -> None:
    sentences = [sentence.strip() for sentence in row[2].rstrip(".!?").split(". ")]
    assert found(f"{sentences[-1].split('! ')[-1]}{end}", row[1]) == set()


@given(st.lists(st.sampled_from([deed.name for deed in DEEDS]), min_size=1, unique=True))
def test_correction_contains_no_unsupported_claim(deeds: list[str]) -> None:
    claims = [deed for deed in DEEDS if deed.name in deeds]
    text = " ".join(f"I have not {deed.done}. I could not {deed.do}." for deed in claims)
    assert unsupported_claims(text, []) == []


def test_finds_unsupported_claim_at_end_of_very_long_reply() -> None:
    assert found("I have seen it and " * 20_000 + "I took a photo.", []) == {"photo"}


DONE = [
    Action("move_head", {"yaw_deg": 30.0, "pitch_deg": -20.0}),
    Action("move_head", {"roll_deg": 10.0}),
    Action("rotate_body", {"yaw_deg": 30.0}),
    Action("set_antennas", {}),
    Action("take_photo", {}),
    Action("find_object", {"name": "cup"}),
    Action("look_at_object", {"name": "cup"}),
    Action("move_head", {"x_mm": 20.0}),
    Action("head_tracking", {"enabled": True}),
    Action("head_tracking", {"enabled": False}),
    Action("express_emotion", {"emotion": "joy"}),
    Action("dance", {"dance": "side_to_side"}),
    *(Action("gesture", {"gesture": gesture}) for gesture in ("nod", "shake", "tilt", "look_around", "wake_up")),
    Action("play_move", {"name": "hello"}),
    Action("stop", {}),
]


@given(st.lists(st.sampled_from(DONE), min_size=1, max_size=5))
def test_success_message_of_known_command_is_not_an_unsupported_claim(actions: list[Action]) -> None:
    told = action_reports.done(actions, ["{}"] * len(actions))
    assert unsupported_claims(told, [(action.tool, True) for action in actions]) == []


@given(st.sampled_from(DONE))
def test_failure_message_of_known_command_is_not_an_unsupported_claim(action: Action) -> None:
    error = AgentError(ErrorCode.TOOL_FAILED, "The motors are off.")
    without_model = f"{phrases.needs_model(True, True)} {phrases.abilities([action.tool])}"
    told = f"{action_reports.failed(action, error)} {without_model} {phrases.broken(error)}"
    assert unsupported_claims(told, [(action.tool, False)]) == []
