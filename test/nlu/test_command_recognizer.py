"""Tests of rule-based intent recognition on handwritten and generated sentences."""

import ast
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.nlu.command_recognizer import MAX_CHARACTERS, CommandRecognizer
from reachy_agent_ros.nlu.decision import Action, DecisionKind
from reachy_agent_ros.nlu.templates.languages import TemplateLanguages
from reachy_agent_ros.nlu.vocabulary import Vocabulary

UTTERANCES = Path(__file__).with_name("utterances.tsv").read_text().splitlines()
REFLEX = CommandRecognizer(Vocabulary(("joy", "sadness", "surprise", "curiosity"), ("simple_nod", "dizzy_spin")))

COMMANDS = ["look left", "nod", "raise your antennas", "turn your body right", "take a photo", "show joy", "dance"]
SALAD = [
    "look",
    "left",
    "right",
    "and",
    "then",
    "stop",
    "say",
    "turn",
    "your",
    "head",
    "not",
    "30",
    "degrees",
    "a",
    ".",
]
COURTESIES = ["please", "hey Reachy,", "could you", "now", "ok Reachy", "um,", "would you please", "Reachy!"]


def expectations() -> list[tuple[str, str, str]]:
    rows = [line.split("\t") for line in UTTERANCES if not line.startswith("#")]
    return [(text, kind, expected) for text, kind, expected in rows]


def actions_of(expected: str) -> list[Action]:
    """Parses expected actions in the form `tool name=value name='text with spaces'; tool ...`."""
    return [_action(part.strip()) for part in expected.split("; ")]


def _action(part: str) -> Action:
    tool, _, rest = part.partition(" ")
    call = ast.parse(f"f({', '.join(_split(rest))})", mode="eval").body
    assert isinstance(call, ast.Call)
    return Action(tool, {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in call.keywords})


def _split(rest: str) -> list[str]:
    return [rest] if "'" in rest and rest.count("=") == 1 else rest.split()


@pytest.mark.parametrize(("text", "kind", "expected"), expectations(), ids=lambda value: value[:40])
def test_recognizes_sentence_as_labeled(text: str, kind: str, expected: str) -> None:
    decision = REFLEX.decide(text)
    assert decision.kind is DecisionKind(kind)
    if decision.kind is DecisionKind.ACT:
        assert [(action.tool, dict(action.arguments)) for action in decision.actions] == [
            (action.tool, action.arguments) for action in actions_of(expected)
        ]
    elif decision.kind is DecisionKind.ASK:
        assert decision.options == expected.split()
        assert decision.question


def test_test_sentences_cover_every_kind_of_decision() -> None:
    kinds = [kind for _, kind, _ in expectations()]
    assert len(kinds) >= 120
    assert min(kinds.count("act"), kinds.count("defer")) >= 50


def assert_decided(text: str) -> None:
    decision = REFLEX.decide(text)
    assert bool(decision.actions) == (decision.kind is DecisionKind.ACT)
    assert bool(decision.alternatives) == (decision.kind is DecisionKind.ASK)
    assert 0.0 <= decision.confidence <= 1.0


@given(st.text(max_size=2 * MAX_CHARACTERS))
def test_recognizer_accepts_any_text(text: str) -> None:
    assert_decided(text)


@given(st.lists(st.sampled_from(SALAD)))
def test_recognizer_accepts_known_words_in_any_order(words: list[str]) -> None:
    assert_decided(" ".join(words))


@given(st.integers(0, 180), st.sampled_from([("left", 1), ("right", -1)]))
def test_recognizer_reads_every_integer_angle(angle: int, side: tuple[str, int]) -> None:
    decision = REFLEX.decide(f"turn your head {angle} degrees to the {side[0]}")
    assert decision.actions == (Action("move_head", {"yaw_deg": side[1] * angle}),)


@given(st.sampled_from(COMMANDS), st.lists(st.sampled_from(COURTESIES), max_size=3))
def test_recognizer_ignores_leading_polite_phrase(command: str, courtesies: list[str]) -> None:
    assert REFLEX.decide(" ".join([*courtesies, command])) == REFLEX.decide(command)


@given(
    st.sampled_from(COMMANDS), st.sampled_from(["don't", "do not", "never", "you must not", "why did you", "he said"])
)
def test_defers_negated_questioned_or_reported_command(command: str, opening: str) -> None:
    assert REFLEX.decide(f"{opening} {command}").kind is DecisionKind.DEFER


@given(st.sampled_from(COMMANDS), st.sampled_from(["stop", "no stop", "oh please stop now", "halt"]))
def test_command_followed_by_stop_is_recognized_only_as_stop(command: str, stop: str) -> None:
    assert REFLEX.decide(f"{command}, {stop}").actions == (Action("stop", {}),)
    assert REFLEX.decide(f"{command} {stop}").actions == (Action("stop", {}),)


@pytest.mark.parametrize("text", ["stop it", "welcome home, mind the step", "Stop!"])
@pytest.mark.parametrize("command", ['say "{}"', "Please say \u201c{}\u201d.", 'repeat after me "{}"'])
def test_stop_in_quotes_is_spoken_instead_of_obeyed(command: str, text: str) -> None:
    assert REFLEX.decide(command.format(text)).actions == (Action("speak", {"text": text}),)


@pytest.mark.parametrize("sentence", ['say "hello" stop', 'say "one", stop', '"stop"', 'he says "stop"', 'say "stop'])
def test_stop_outside_of_text_to_speak_is_obeyed(sentence: str) -> None:
    assert REFLEX.decide(sentence).actions == (Action("stop", {}),)


@pytest.mark.parametrize("text", ["stop", "halt", "arrête", "para", "alto", "basta", "ferma", "pare", "let go of me"])
def test_stop_words_of_all_languages_stop_robot_whose_templates_are_loaded(free: CommandRecognizer, text: str) -> None:
    assert free.decide(text).actions == (Action("stop", {}),)


@given(st.lists(st.sampled_from([*COMMANDS, "stop", "halt"]), max_size=20))  # of a longer text, only stops are read
def test_last_stop_is_first_action_and_cancels_commands_before_it(clauses: list[str]) -> None:
    actions = REFLEX.decide(", ".join([*clauses, "stop", "take a photo"])).actions
    assert actions == (Action("stop", {}), Action("take_photo", {}))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Stopp, schau nach links", "stop; move_head yaw_deg=30"),
        ("Nicke, stopp, schau nach links", "stop; move_head yaw_deg=30"),
        ("Stopp, schau nach links, stopp", "stop"),
        ("Nicke, stopp, was für ein Tag", "stop"),
    ],
)
def test_commands_after_stop_are_recognized_in_any_language(text: str, expected: str) -> None:
    vocabulary = Vocabulary((), ())
    recognizer = CommandRecognizer(vocabulary, languages=TemplateLanguages(vocabulary, codes=("de",)))
    assert list(recognizer.decide(text).actions) == actions_of(expected)


@pytest.mark.parametrize(
    "words", ["stop moving", "now", "wait", "look left and", "please", "no", "to the", "that you are"]
)
@pytest.mark.parametrize("opening", ["", "look stop ", "turn your head ", "say "])
def test_recognition_of_long_repetition_takes_bounded_time(opening: str, words: str) -> None:
    assert_decided((opening + f"{words} " * MAX_CHARACTERS)[: MAX_CHARACTERS - 2] + " x")


def test_unrecognized_part_of_sentence_keeps_original_words() -> None:
    decision = REFLEX.decide("Look left and tell me about Ada Lovelace, please.")
    assert decision.remainder == "tell me about Ada Lovelace, please."


def test_detects_question_about_what_robot_sees() -> None:
    assert REFLEX.decide("look left and tell me what you see").wants_description
    assert not REFLEX.decide("look left and take a photo").wants_description


def test_defers_unknown_emotion() -> None:
    assert CommandRecognizer(Vocabulary((), ())).decide("show joy").kind is DecisionKind.DEFER


@pytest.mark.parametrize(
    ("text", "angles"),
    [
        ("yaw 20 left", {"yaw_deg": 20.0}),
        ("head right 30", {"yaw_deg": -30.0}),
        ("swivel your head forty to the left", {"yaw_deg": 40.0}),
        ("set head yaw to 12.5 degrees left, pitch 5 degrees down", {"yaw_deg": 12.5, "pitch_deg": 5.0}),
        ("pitch up 12", {"pitch_deg": -12.0}),
        ("roll left 20", {"roll_deg": -20.0}),
        ("right, look up 10 degrees", {"pitch_deg": -10.0}),
    ],
)
def test_reads_angle_next_to_axis_or_direction(reflex: CommandRecognizer, text: str, angles: dict[str, float]) -> None:
    (action,) = reflex.decide(text).actions
    assert (action.tool, dict(action.arguments)) == ("move_head", angles)


@pytest.mark.parametrize(
    ("text", "tools"),
    [
        ("look left, love", ["move_head"]),
        ("nod, there's a good lad", ["gesture"]),
        ("nod, three times", ["gesture"]),
        ("look left, then wait for a minute", ["move_head", "wait"]),
        ("shake your head no no no", ["gesture"]),
        ("OI! HEAD UP!", ["move_head"]),
    ],
)
def test_ignores_forms_of_address_and_merges_amounts(reflex: CommandRecognizer, text: str, tools: list[str]) -> None:
    assert [action.tool for action in reflex.decide(text).actions] == tools
