"""Tests of sentences in which free text is marked."""

from hypothesis import given
from hypothesis import strategies as st

from training.intents.marked_text import unmarked

PLAIN = st.text("abc xyz,.!", max_size=12)


def test_marks_are_removed_and_located() -> None:
    text, spans = unmarked("remind me [time:at six] to [text:call mom]!")
    assert text == "remind me at six to call mom!"
    assert [(text[start:end], kind) for start, end, kind in spans] == [("at six", "time"), ("call mom", "text")]


@given(st.lists(st.tuples(PLAIN, st.sampled_from(["object", "text"]), PLAIN)), PLAIN)
def test_spans_are_marked_texts_in_order(pieces: list[tuple[str, str, str]], end: str) -> None:
    marked = "".join(f"{before}[{kind}:{free}]" for before, kind, free in pieces) + end
    text, spans = unmarked(marked)
    assert text == "".join(before + free for before, _, free in pieces) + end
    assert [(text[start:stop], kind) for start, stop, kind in spans] == [(free, kind) for _, kind, free in pieces]
