import pytest

from evaluation.understanding.expected_calls import ExpectedCall, merged


def test_expected_call_accepts_alternatives_and_wildcards() -> None:
    droops = ExpectedCall.parse("set_antennas(left_deg=30..180/-180..-30,right_deg=*)")
    assert droops.admits(("set_antennas", {"left_deg": -90, "right_deg": 7}))
    assert not droops.admits(("set_antennas", {"left_deg": 0, "right_deg": 7}))


def test_unspecified_arguments_except_pace_and_wording_must_have_defaults() -> None:
    left = ExpectedCall.parse("move_head(yaw_deg=10..60)")
    assert left.admits(("move_head", {"yaw_deg": 30, "pitch_deg": 0.0, "duration_s": 2.0}))
    assert not left.admits(("move_head", {"yaw_deg": 30, "pitch_deg": 5.0}))
    assert ExpectedCall.parse("analyze_scene()").admits(("analyze_scene", {"prompt": "How many cups?"}))


def test_specified_duration_must_match() -> None:
    slowly = ExpectedCall.parse("move_head(yaw_deg=10..60,duration_s=2)")
    assert slowly.admits(("move_head", {"yaw_deg": 30, "duration_s": 2}))
    assert not slowly.admits(("move_head", {"yaw_deg": 30}))


@pytest.mark.parametrize(
    "call",
    [
        ("move_head", {"yaw_deg": 30, "speed": 1}),
        ("move_head", {"yaw_deg": "30"}),
        ("rotate_body", {"yaw_deg": 30}),
        ("fly", {}),
    ],
)
def test_rejects_call_of_other_tool_or_with_invalid_arguments(call: tuple[str, dict[str, object]]) -> None:
    assert not ExpectedCall.parse("move_head(yaw_deg=10..60)").admits(call)


@pytest.mark.parametrize(
    ("notation", "complaint"),
    [
        ("look left", "not a call"),
        ("fly(height=3)", "no tool 'fly'"),
        ("move_head(speed=3)", "no argument 'speed'"),
        ("move_head(pitch_deg=10..90)", "does not take pitch_deg=90"),
        ("dance(dance=polka)", "does not take dance=polka"),
        ("gesture(gesture=nod,repetitions=6)", "does not take repetitions=6"),
        ("head_tracking(enabled=perhaps)", "does not take enabled=perhaps"),
        ("rotate_body(duration_s=1)", "needs yaw_deg"),
    ],
)
def test_rejects_expected_call_that_no_tool_accepts(notation: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        ExpectedCall.parse(notation)


def test_merges_consecutive_equal_gestures_into_one_call() -> None:
    nod, look = ("gesture", {"gesture": "nod"}), ("move_head", {"yaw_deg": 30})
    thrice = ("gesture", {"gesture": "nod", "repetitions": 3})
    assert list(merged([nod, nod, nod])) == [thrice]
    assert list(merged([nod, ("gesture", {"gesture": "nod", "repetitions": 2})])) == [thrice]
    assert list(merged([look, look])) == [look, look]
    assert len(list(merged([nod, look, nod]))) == 3
