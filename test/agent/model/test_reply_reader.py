import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.model.reply_reader import ReplyReader, well_formed


def read(text: str, size: int) -> tuple[str, bool]:
    reader = ReplyReader()
    pieces = [reader.feed(text[start : start + size]) for start in range(0, len(text), size)]
    return "".join(pieces), reader.complete


@given(st.text(), st.booleans(), st.integers(1, 7))
def test_a_reply_is_the_same_however_it_is_escaped_and_cut(reply: str, ascii_only: bool, size: int) -> None:
    text = json.dumps({"reply": reply}, ensure_ascii=ascii_only)
    assert read(text, size) == (well_formed(reply), True)


def test_the_reply_grows_with_the_text() -> None:
    reader = ReplyReader()
    pieces = ['{"re', 'ply": "Hel', "lo", ' \\"you', '\\" \\ud83d', "\\ude00.", '"}']
    assert [reader.feed(piece) for piece in pieces] == ["", "Hel", "lo", ' "you', '" ', "😀.", ""]
    assert reader.complete


@pytest.mark.parametrize("text", ['{"tool": "move_head", "args": {"reply": "no"}}', "Hello.", '["reply"]', ""])
def test_what_is_no_reply_is_not_read_aloud(text: str) -> None:
    assert read(text, 3) == ("", False)


def test_a_reply_in_a_fence_is_read_too() -> None:
    assert read('```json\n{"reply": "Yes."}\n```', 4) == ("Yes.", True)


@given(st.text(alphabet='\\"u{}dD8e reply:'), st.integers(1, 5))
def test_no_text_raises_or_gives_out_half_a_character(text: str, size: int) -> None:
    reply, _ = read('{"reply": "' + text, size)
    assert not any("\ud800" <= letter <= "\udfff" for letter in reply)
