from pathlib import Path

import pytest

from reachy_agent_ros.agent.memory.documents import Documents
from reachy_agent_ros.agent.memory.memory import Memory
from reachy_agent_ros.core.errors import AgentError, ErrorCode


def test_a_document_is_found_with_heading_and_lines(memory: Memory, tmp_path: Path) -> None:
    manual = tmp_path / "manual.txt"
    manual.write_text("Introduction.\n\n# Motors\nTorque the screws to 0.6 newton metres.\n")
    documents = Documents(memory)
    assert documents.add(manual)
    assert not documents.add(manual)
    assert documents.listed() == [manual]
    assert memory.recall("How tight are the screws?")[0].entry.source == f"{manual}, Motors, lines 3-4"


def test_a_forgotten_document_leaves_its_file(memory: Memory, tmp_path: Path) -> None:
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
def test_what_is_no_text_is_refused(memory: Memory, tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(AgentError) as error:
        Documents(memory).add(tmp_path / name)
    assert error.value.code is ErrorCode.INVALID_ARGUMENTS


def test_a_file_that_is_not_there_is_told(memory: Memory, tmp_path: Path) -> None:
    with pytest.raises(AgentError) as error:
        Documents(memory).add(tmp_path / "nothing.txt")
    assert error.value.code is ErrorCode.INVALID_ARGUMENTS


def test_document_that_became_link_is_not_read(memory: Memory, tmp_path: Path) -> None:
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
