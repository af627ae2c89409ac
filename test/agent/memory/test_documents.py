from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.memory.documents import LONGEST, Documents, passages
from reachy_agent_ros.agent.memory.memory import Memory
from reachy_agent_ros.core.errors import AgentError, ErrorCode


def test_document_is_found_with_heading_and_line_numbers(memory: Memory, tmp_path: Path) -> None:
    manual = tmp_path / "manual.txt"
    manual.write_text("Introduction.\n\n# Motors\nTorque the screws to 0.6 newton meters.\n")
    documents = Documents(memory)
    assert documents.add(manual)
    assert not documents.add(manual)
    assert documents.listed() == [manual]
    assert memory.recall("How tight are the screws?")[0].entry.source == f"{manual}, Motors, lines 3-4"


def test_forgetting_document_does_not_delete_its_file(memory: Memory, tmp_path: Path) -> None:
    manual = tmp_path / "manual.md"
    manual.write_text("Text.")
    documents = Documents(memory)
    documents.add(manual)
    assert documents.forget(manual).count == 1
    assert manual.exists()
    assert documents.listed() == []
    with pytest.raises(AgentError) as error:
        documents.forget(manual)
    assert error.value.code is ErrorCode.NOT_FOUND


@pytest.mark.parametrize(("name", "content"), [("a.pdf", b"%PDF"), ("a.txt", b"\xff\xfe"), ("a.md", b"x" * 2_000_001)])
def test_rejects_document_that_is_not_text(memory: Memory, tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(AgentError) as error:
        Documents(memory).add(tmp_path / name)
    assert error.value.code is ErrorCode.INVALID_ARGUMENTS


def test_rejects_missing_document(memory: Memory, tmp_path: Path) -> None:
    with pytest.raises(AgentError) as error:
        Documents(memory).add(tmp_path / "nothing.txt")
    assert error.value.code is ErrorCode.INVALID_ARGUMENTS


def test_does_not_read_document_replaced_by_symlink(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "guide.md"
    path.write_text("How to cook rice.")
    documents = Documents(memory)
    documents.add(path)
    (tmp_path / "secret.md").write_text("The code of the safe is 4711.")
    path.unlink()
    path.symlink_to(tmp_path / "secret.md")
    with pytest.raises(AgentError) as caught:
        documents.add(path)
    assert "is a link" in caught.value.message


TEXT = """Before any heading.

# Tea

Four minutes, not five.
## Green
Two minutes.
```
# no heading in code
```
"""


def test_document_passage_has_heading_and_line_numbers() -> None:
    assert [(one.heading, one.first, one.last) for one in passages(TEXT)] == [
        ("", 1, 1),
        ("Tea", 3, 5),
        ("Green", 6, 10),
    ]
    assert passages(TEXT)[1].place == "Tea, lines 3-5"
    assert passages(TEXT)[0].place == "line 1"


def test_long_document_is_split_between_paragraphs() -> None:
    paragraph = "word " * 60
    found = passages(f"{paragraph}\n\n{paragraph}\n\n{paragraph}")
    assert [(one.first, one.last) for one in found] == [(1, 3), (5, 5)]


@pytest.mark.parametrize("heading", ["Oven", "a # b", ""])
@pytest.mark.parametrize("end", ["", " ", " ##", " ## ", "\t#"])
def test_heading_of_passage_has_no_closing_marks(heading: str, end: str) -> None:
    (passage,) = passages(f"# {heading} {end}\n\nText.")
    assert passage.heading == heading


@pytest.mark.parametrize("unit", [" ", "#", " #"])
def test_long_heading_is_read_in_linear_time(unit: str) -> None:
    passages("# a" + unit * 200_000 + "x")  # otherwise reaches the time limit of the test


def test_empty_text_has_no_passages() -> None:
    assert passages("") == passages(" \n\n\t\n") == []


@given(st.text(alphabet="ab #`\n\r\f\u2028", max_size=3000))
def test_passages_contain_every_word_once_with_its_line_numbers(text: str) -> None:
    found = passages(text)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    assert all(0 < len(one.text) <= LONGEST for one in found)
    assert all(1 <= one.first <= one.last <= len(lines) for one in found)
    inside = "".join("".join(one.text.split()) for one in found)
    assert inside == "".join(text.split())
