from collections import Counter

from evaluation.understanding.expected_calls import ExpectedCall, tools
from evaluation.understanding.judged_sentences import Kind, Sentence, load
from evaluation.understanding.reflex import SENTENCES, Answer, figures

LATER = {"approach", "mirror_pose", "pause", "resume", "set_pace", "set_pose", "set_volume", "sweep_look", "wait"}
"""Tools that were added after the sentences were written."""


def answers(kind: Kind, *outcomes: tuple[str, bool]) -> list[Answer]:
    """Creates one answer for each outcome. An outcome is a decision and whether it is correct."""
    stop = ((ExpectedCall.parse("stop()"),),)
    return [
        Answer(Sentence(kind, "", stop if right else (), right, right), decision, (("stop", {}),), 1.0)
        for decision, right in outcomes
    ]


def test_evaluation_sentences_cover_every_kind_and_tool() -> None:
    sentences = load(SENTENCES)
    kinds = Counter(sentence.kind for sentence in sentences)
    assert len(sentences) >= 360
    assert kinds[Kind.NONE] >= len(sentences) / 4
    assert kinds[Kind.FREE] >= 0.45 * len(sentences)
    assert kinds[Kind.PLAIN] >= 0.2 * len(sentences)
    assert {call.tool for s in sentences for reading in s.readings for call in reading} == set(tools()) - LATER


def test_each_figure_is_a_percentage_of_sentences_of_its_kind() -> None:
    given = [
        *answers(Kind.PLAIN, ("act", True), ("act", False)),
        *answers(Kind.FREE, ("act", True), ("ask", True), ("ask", False), ("defer", False)),
        *answers(Kind.NONE, ("defer", True), ("act", True), ("act", False), ("ask", False)),
    ]
    found = {figure.name: figure.value for figure in figures(given, 0.0)}
    assert found["commands: tool and arguments right"] == 50.0
    assert found["plain commands right"] == 50.0
    assert found["free commands right"] == 50.0
    assert found["of what it acts on, right"] == 60.0
    assert found["other sentences, acted on"] == 25.0
    assert found["commands left to the model"] == found["commands asked back without need"] == 100.0 / 6.0
    assert found["other sentences, asked about"] == 25.0
