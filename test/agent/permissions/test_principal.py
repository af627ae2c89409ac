import pytest

from reachy_agent_ros.agent.permissions.principal import UNKNOWN, Decides, Principal, speaker_of, stream_of
from reachy_agent_ros.core.errors import AgentError, ErrorCode

PHONE, DESK = "token:phone#1f0c92ab", "token:desk#77aa01cd"


@pytest.mark.parametrize(
    ("principal", "asked_by", "approve"),
    [
        (UNKNOWN, "", True),
        (UNKNOWN, PHONE, True),
        (Principal("gateway without a token"), "", True),
        (Principal(PHONE), PHONE, True),  # an unverified name does not identify the caller
        (Principal(DESK, True), PHONE, True),
        (Principal(PHONE, True), "", True),
        (Principal(PHONE, True), PHONE, False),
        (Principal(PHONE, True, Decides.NOTHING), PHONE, False),
        (Principal(PHONE, True, Decides.EVERYTHING), PHONE, True),
    ],
)
def test_principal_may_give_permitted_answer(principal: Principal, asked_by: str, approve: bool) -> None:
    principal.require_may_answer("dance", asked_by, approve)


@pytest.mark.parametrize(
    ("principal", "asked_by", "approve", "words"),
    [
        (Principal(PHONE, True), PHONE, True, "tokens allow phone approve-own"),
        (Principal(PHONE, True, Decides.NOTHING), PHONE, True, "cannot decide whether dance may run"),
        (Principal(PHONE, True, Decides.NOTHING), DESK, True, "cannot decide whether dance may run"),
        (Principal(PHONE, True, Decides.NOTHING), DESK, False, "cannot decide whether dance may run"),
        (Principal(PHONE, True, Decides.NOTHING), "", True, "cannot decide whether dance may run"),
    ],
)
def test_error_for_rejected_answer_names_who_may_answer(
    principal: Principal, asked_by: str, approve: bool, words: str
) -> None:
    with pytest.raises(AgentError, match=words) as refused:
        principal.require_may_answer("dance", asked_by, approve)
    assert refused.value.code is ErrorCode.DECISION_NOT_ALLOWED
    assert "Somebody else can" in refused.value.message


@pytest.mark.parametrize("decides", Decides)
def test_audio_stream_name_identifies_token_of_speaker(decides: Decides) -> None:
    speaker = Principal(PHONE, True, decides)
    assert speaker_of(stream_of(speaker, "client:1")) == speaker


def test_audio_stream_without_token_has_unknown_speaker() -> None:
    assert stream_of(Principal("gateway without a token"), "client:1") == "client:1"
    for stream in ("client:1", "", "microphone", "principal:SOMETHING:token:phone#1f0c92ab:1"):
        assert speaker_of(stream) == UNKNOWN
