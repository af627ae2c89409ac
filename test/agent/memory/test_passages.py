from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.memory.passages import LONGEST, passages

TEXT = """Before any heading.

# Tea

Four minutes, not five.
## Green
Two minutes.
```
# no heading in code
```
"""


def test_a_passage_names_its_heading_and_lines() -> None:
    assert [(one.heading, one.first, one.last) for one in passages(TEXT)] == [
        ("", 1, 1),
        ("Tea", 3, 5),
        ("Green", 6, 10),
    ]
    assert passages(TEXT)[1].place == "Tea, lines 3-5"
    assert passages(TEXT)[0].place == "line 1"


def test_long_texts_are_cut_between_paragraphs() -> None:
    paragraph = "word " * 60
    found = passages(f"{paragraph}\n\n{paragraph}\n\n{paragraph}")
    assert [(one.first, one.last) for one in found] == [(1, 3), (5, 5)]


def test_nothing_makes_no_passage() -> None:
    assert passages("") == passages(" \n\n\t\n") == []


@given(st.text(alphabet="ab #`\n\r\f\u2028", max_size=3000))
def test_every_word_is_in_exactly_one_passage_of_its_own_lines(text: str) -> None:
    found = passages(text)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    assert all(0 < len(one.text) <= LONGEST for one in found)
    assert all(1 <= one.first <= one.last <= len(lines) for one in found)
    inside = "".join("".join(one.text.split()) for one in found)
    assert inside == "".join(text.split())
