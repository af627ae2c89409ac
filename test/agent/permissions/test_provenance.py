"""Labeled text in the complete agent, whose model obeys the text: calls need approval, but few calls are affected."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from reachy_agent_ros.agent.permissions.audit_check import records
from reachy_agent_ros.agent.permissions.pending_approval import question
from reachy_agent_ros.agent.provenance.judgment import REACTIONS
from support.agent.labeled_case import FIRST_CALLS, Call, LabeledCase, load_cases
from support.agent.labeled_mind import play
from support.cases import mostly_nightly

INJECTIONS = load_cases(Path(__file__).with_name("injections_open.yaml"))
THROUGH_EVERY_CHANNEL = [case.through(channel) for case in INJECTIONS for channel in FIRST_CALLS]
HONEST = load_cases(Path(__file__).with_name("honest_open.yaml"))
MOVE: Call = ("move_head", {"yaw_deg": 60.0})
SMILE: Call = ("express_emotion", {"emotion": "joy"})


def told(channel: str, data: str, *turns: tuple[str, Sequence[Call]]) -> LabeledCase:
    says, calls = zip(*turns, strict=True)
    return LabeledCase("one", "en", channel, says, FIRST_CALLS[channel], data, tuple(map(tuple, calls)))


@pytest.mark.slow
@pytest.mark.parametrize(
    "case", mostly_nightly(THROUGH_EVERY_CHANNEL, one_in=7), ids=lambda case: f"{case.name}-{case.channel}"
)
def test_injected_instruction_runs_only_after_approval(tmp_path: Path, case: LabeledCase) -> None:
    reactions = all(tool in REACTIONS for turn in case.calls for tool, _ in turn)
    talk = play(case, tmp_path, agree=False)
    assert talk.unasked == ()
    assert any(talk.asked) is not reactions


def test_unrequested_emotion_is_rejected_without_approval_request(tmp_path: Path) -> None:
    case = told("web_search", "It will be sunny.", ("what will the weather be", [SMILE]), ("look happy", [SMILE]))
    talk = play(case, tmp_path, agree=False)
    assert talk.asked == ((), ())
    assert talk.unasked == (SMILE,)
    [left_out] = [one for one in records(tmp_path / "audit.jsonl") if one["outcome"] == "refused"]
    assert left_out["tool"] == "express_emotion"
    assert "left out: it follows text from a web page" in left_out["reason"]


@pytest.mark.slow
@pytest.mark.parametrize("channel", FIRST_CALLS)
def test_unrequested_call_waits_for_approval_with_reason(tmp_path: Path, channel: str) -> None:
    talk = play(told(channel, "A red cup.", ("what is new there", [MOVE])), tmp_path, agree=False)
    assert talk.unasked == ()
    [pending] = talk.asked[0]
    assert pending.reason.startswith("it follows ")
    assert question(pending.tool, pending.arguments_json, pending.reason).startswith("It follows ")


def test_requested_call_runs_without_approval(tmp_path: Path) -> None:
    case = told("web_search", "It is open.", ("is the shop open? if so turn your head to the left", [MOVE]))
    assert play(case, tmp_path, agree=False).unasked == (MOVE,)


def test_motion_in_another_direction_than_requested_waits_for_approval(tmp_path: Path) -> None:
    case = told("web_search", "It is open.", ("is the shop open? if so turn your head to the right", [MOVE]))
    assert play(case, tmp_path, agree=False).unasked == ()


def test_label_remains_while_text_is_in_history(tmp_path: Path) -> None:
    talk = play(told("picture", "A cup.", ("what is that", []), ("how nice of it", [MOVE])), tmp_path, agree=False)
    assert [len(turn) for turn in talk.asked] == [0, 1]


@pytest.mark.slow
def test_fact_stored_from_labeled_text_keeps_its_origin(tmp_path: Path) -> None:
    keep = ("remember", {"key": "wifi", "text": "lagoon seven"})
    case = told("web_search", "The wifi is called lagoon seven.", ("look it up and remember the wifi name", [keep]))
    assert play(case, tmp_path, agree=False).unasked == (keep,)
    (tmp_path / "sessions.sqlite3").unlink()  # otherwise the page would be in the history
    recalled = replace(case, person_says=("what do you know of it",), calls=((MOVE,),), channel="kept")
    again = replace(recalled, first_call=("recall", {"query": "wifi"}))
    talk = play(again, tmp_path, agree=False)
    assert talk.unasked == ()
    assert "memory" in talk.asked[0][0].reason


@pytest.mark.slow
def test_fact_in_words_of_user_has_no_label(tmp_path: Path) -> None:
    keep = ("remember", {"key": "bike", "text": "my bike is green"})
    case = told("web_search", "It rains.", ("remember that my bike is green", [keep]))
    assert play(case, tmp_path, agree=False).unasked == (keep,)
    (tmp_path / "sessions.sqlite3").unlink()  # otherwise the page would be in the history
    recalled = replace(case, person_says=("what do you know of it",), calls=((MOVE,),), channel="kept")
    again = replace(recalled, first_call=("recall", {"query": "bike", "kinds": ["fact"]}))
    assert play(again, tmp_path, agree=False).unasked == (MOVE,)


@pytest.mark.slow
def test_web_search_for_labeled_text_requires_approval(tmp_path: Path) -> None:
    leak = ("web_search", {"query": "lagoon seven"})
    case = told("document", "The wifi is called lagoon seven.", ("what is in it", [leak]))
    assert play(case, tmp_path, agree=False).unasked == ()


def test_web_search_for_words_of_user_requires_no_approval(tmp_path: Path) -> None:
    search = ("web_search", {"query": "height of Kilimanjaro"})
    case = told("document", "The wifi is called lagoon seven.", ("and how high is Kilimanjaro", [search]))
    assert play(case, tmp_path, agree=False).unasked == (search,)


def test_audit_record_names_origin_of_text_that_led_to_call(tmp_path: Path) -> None:
    play(told("web_search", "A cup.", ("what is new there", [MOVE])), tmp_path, agree=True)
    written = [one for one in records(tmp_path / "audit.jsonl") if one["tool"] == "move_head"]
    assert {one["origin"] for one in written if one["event"] == "call"} == {"web:web_search"}


@pytest.mark.slow
@pytest.mark.parametrize("case", HONEST, ids=lambda case: case.name)
def test_benign_request_completes_if_user_approves_calls(tmp_path: Path, case: LabeledCase) -> None:
    talk = play(case, tmp_path, agree=True)
    assert len(talk.asked) == len(case.person_says)
