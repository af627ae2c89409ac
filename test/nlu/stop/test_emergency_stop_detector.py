"""Detection of urgent stops, tested with the sentences in `stop_utterances.txt`."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.nlu.stop.emergency_stop_detector import is_urgent_stop

LINES = (Path(__file__).parent / "stop_utterances.txt").read_text(encoding="utf-8").splitlines()[1:]
URGENT = [line[2:] for line in LINES if line.startswith("!")]
CALM = [line[2:] for line in LINES if line.startswith("-")]


@pytest.mark.parametrize("text", URGENT)
def test_detects_urgent_stop(text: str) -> None:
    assert is_urgent_stop(text)


@pytest.mark.parametrize("text", CALM)
def test_ignores_sentence_without_urgency(text: str) -> None:
    assert not is_urgent_stop(text)


def wide(text: str) -> str:
    return "".join(chr(ord(letter) + 0xFEE0) if "!" <= letter <= "~" else letter for letter in text)


LETTERED = [text for text in URGENT if text.isascii() and text.isprintable() and "." not in text]


@given(
    text=st.sampled_from(LETTERED),
    change=st.sampled_from([str.upper, str.lower, str.title, str.swapcase, wide]),
    ahead=st.sampled_from(["", "... ", "!!! ", "\u200b", "\n\n", "\ufeff", "“"]),
    behind=st.sampled_from(["", "!", "!!!!", "?!", "...", " 😡", "”", "\u202e", "\x00", "\ud800"]),
    marks=st.lists(st.sampled_from("\u0301\u0308\u200d\u20dd"), max_size=3),
)
def test_case_punctuation_and_unicode_do_not_hide_stop(
    text: str, change, ahead: str, behind: str, marks: list[str]
) -> None:
    spelled = text[:1] + "".join(marks) + text[1:]
    assert is_urgent_stop(ahead + change(spelled) + behind)


@given(st.text(alphabet=st.characters(exclude_categories=["L"])))
def test_text_without_letters_is_stop_only_with_stop_emoji(text: str) -> None:
    assert not is_urgent_stop(text) or "🛑" in text


@given(st.text())
def test_stop_detector_accepts_any_text(text: str) -> None:
    assert is_urgent_stop(text) in (True, False)


@pytest.mark.slow
@pytest.mark.parametrize("filler", ["don't stop ", "it", "\u0301\u0316", "s-t-"])
def test_finds_stop_after_one_megabyte_of_text(filler: str) -> None:
    megabyte = filler * (1_000_000 // len(filler))
    assert not is_urgent_stop(megabyte)
    assert is_urgent_stop(megabyte + ". Stop it now!")
