from pathlib import Path

import pytest

from evaluation.understanding.judged_sentences import Kind, Sentence, load

LEFT = ("move_head", {"yaw_deg": 30.0})
NOD = ("gesture", {"gesture": "nod"})


@pytest.fixture
def written(tmp_path: Path) -> Path:
    return tmp_path / "sentences.tsv"


def one(path: Path, line: str) -> Sentence:
    path.write_text(f"# a comment\n\n{line}\n")
    (sentence,) = load(path)
    return sentence


def test_calls_must_be_in_expected_order(written: Path) -> None:
    sentence = one(written, "plain\tlook left and nod\tmove_head(yaw_deg=10..60) ; gesture(gesture=nod)")
    assert sentence.is_right("act", [LEFT, NOD])
    assert not sentence.is_right("act", [NOD, LEFT])
    assert not sentence.is_right("act", [LEFT])
    assert not sentence.is_right("act", [LEFT, NOD, NOD])


def test_any_listed_interpretation_counts_as_correct(written: Path) -> None:
    sentence = one(written, "free\tsay yes\tgesture(gesture=nod) | speak(text=yes) | ask")
    assert sentence.is_right("act", [NOD])
    assert sentence.is_right("act", [("speak", {"text": "Yes."})])
    assert sentence.is_right("ask", [])
    assert not sentence.is_right("defer", [])


def test_action_counts_as_wrong_if_only_clarification_is_expected(written: Path) -> None:
    sentence = one(written, "free\tturn left\task")
    assert sentence.is_right("ask", [])
    assert not sentence.is_right("act", [LEFT])


def test_sentence_without_command_must_be_deferred(written: Path) -> None:
    sentence = one(written, "none\tI left my keys.\t-")
    assert sentence.kind is Kind.NONE
    assert sentence.is_right("defer", [])
    assert not sentence.is_right("act", [LEFT])
    assert not sentence.is_right("ask", [])


def test_harmless_action_may_be_correct_for_sentence_without_command(written: Path) -> None:
    sentence = one(written, "none\tdon't move\t- | stop()")
    assert sentence.is_right("defer", [])
    assert sentence.is_right("act", [("stop", {})])


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("plain\tlook left", "2 columns"),
        ("shout\tlook left\tstop()", "'shout' is not a valid Kind"),
        ("plain\tlook left\t-", "without a request"),
        ("none\thello\tstop()", "without a request"),
        ("plain\tfly\tfly()", "no tool 'fly'"),
    ],
)
def test_error_names_invalid_line_of_sentence_file(written: Path, line: str, complaint: str) -> None:
    written.write_text(f"plain\tstop\tstop()\n{line}\n")
    with pytest.raises(ValueError, match=rf"line 2: .*{complaint}"):
        load(written)


def test_rejects_duplicate_sentence(written: Path) -> None:
    written.write_text("plain\tstop\tstop()\nfree\tStop!\tstop()\n")
    with pytest.raises(ValueError, match="duplicate sentence"):
        load(written)
