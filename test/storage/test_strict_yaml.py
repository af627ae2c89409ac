import contextlib
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.storage.strict_yaml import StrictForm, read_form


class Shelf(StrictForm):
    books: list[str]
    height: float = 1.0
    floors: int = 1


def read(folder: Path, content: bytes) -> Shelf:
    path = folder / "shelf.yaml"
    path.write_bytes(content)
    return read_form(path, Shelf, 1000, "The shelf stays empty")


def test_reads_yaml_file(tmp_path: Path) -> None:
    content = b"\xef\xbb\xbfbooks: [one, two]\r\nheight: 2.5\r\n"
    assert read(tmp_path, content) == Shelf(books=["one", "two"], height=2.5)


@pytest.mark.parametrize("opening", ["[", "- ", "? ", "{a: "])
def test_rejects_deeply_nested_yaml_file(tmp_path: Path, opening: str) -> None:
    path = tmp_path / "deep.yaml"
    path.write_text(f"books: [one]\nheight: 1.0\ncolor:\n  {opening * 50_000}")
    with pytest.raises(AgentError, match="nested too deeply"):
        read_form(path, Shelf, 1_000_000)


@pytest.mark.parametrize(
    ("text", "height"), [("010", 10.0), ("1e3", 1000.0), ("-.5", -0.5), ("0x10", 16.0), ("+7", 7.0)]
)
def test_reads_numbers_as_in_yaml_1_2(tmp_path: Path, text: str, height: float) -> None:
    assert read(tmp_path, f"books: []\nheight: {text}".encode()).height == height


@pytest.mark.parametrize(
    ("text", "floors"),
    [("010", 10), ("-07", -7), ("0", 0), ("0x10", 16), ("0o17", 15), ("!!int 010", 10), ("!!int 0x10", 16)],
)
def test_reads_integers_as_in_yaml_1_2(tmp_path: Path, text: str, floors: int) -> None:
    assert read(tmp_path, f"books: []\nfloors: {text}".encode()).floors == floors


@pytest.mark.parametrize("text", ["1.0", "1:30", "1_0", "0o8", "!!int 1:30", "!!int 1_0", "!!float 1:30"])
def test_rejects_other_texts_in_place_of_integer(tmp_path: Path, text: str) -> None:
    with pytest.raises(AgentError, match="line 2: "):
        read(tmp_path, f"books: []\nfloors: {text}".encode())


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "the file: "),
        (b"books: 3", "books: "),
        (b"0\t", "line 1: the file: Input should be a valid dictionary"),  # libyaml accepts the tab
        (
            b"books: [one, 2]\nheight: '1'",
            "line 1: books 2: Input should be a valid string; line 2: height: Input should be a valid n",
        ),
        (b"books: []\ncolor: red", "line 2: color: Extra inputs are not permitted"),
        (b"books: []\nheightt: 1.0", "line 2: heightt: Extra inputs are not permitted. Did you mean height?"),
        (b"books:\n - one\n - 2", "line 3: books 2: Input should be a valid string"),
        (b"books: []\nheight: 1\nheight: 2", "line 3: 'height' is set twice, first in line 2"),
        (b"books: []\nheight: 1:30", "height: Input should be a valid number"),
        (b"books: []\nheight: 1_0", "height: Input should be a valid number"),
        (b"books:\n - [", "line 2: while parsing a flow"),
        (b"books: [2026-13-01]", "month must be in 1..12"),
        (b"books: !!python/object/apply:os.system [exit]", "could not determine a constructor"),
        (b"books: !!int ''", "a value does not match its tag"),
        (b"books: !!bool perhaps", "a value does not match its tag"),
        (b"books: !!timestamp soon", "a value does not match its tag"),
        (b"!!map books", "expected a mapping node"),
        (b"{[books]: 1}", "unhashable key"),
        (b"[" * 900, "it is nested too deeply"),
        (b"books: [\x00]", "special characters are not allowed"),
        (b"\xff\xfe\x00", "is not UTF-8 text"),
        (b"#" * 1001, "has more than 1000 bytes"),
    ],
)
def test_yaml_error_names_file_and_position_and_consequence(tmp_path: Path, content: bytes, complaint: str) -> None:
    with pytest.raises(AgentError) as refused:
        read(tmp_path, content)
    assert refused.value.code is ErrorCode.INVALID_ARGUMENTS
    assert refused.value.message.startswith(f"The shelf stays empty: {tmp_path / 'shelf.yaml'}")
    assert complaint in refused.value.message


def test_yaml_error_omits_values(tmp_path: Path) -> None:
    for content in (b"books: hunter2", b"books: [hunter2", b"books: {hunter2: *hunter}"):
        with pytest.raises(AgentError) as refused:
            read(tmp_path, content)
        assert "hunter2" not in refused.value.message


@pytest.mark.parametrize(
    "value",
    [
        "!!int hunter2", "!!float hunter2", "!!bool hunter2", "!!timestamp hunter2", "!!binary hunter2", "*hunter2",
        "!hunter2", "!hunter2's", "!hunter2! x", "!!hunter2 x", "&hunter2 [&hunter2 x, *hunter2, *hunter3]",
        "[a, &hunter2 b, *hunter2x]",
    ],
)  # fmt: skip
def test_yaml_error_of_tagged_value_has_line_without_value(tmp_path: Path, value: str) -> None:
    with pytest.raises(AgentError) as refused:
        read(tmp_path, f"height: 1.0\nbooks: {value}".encode())
    assert "hunter" not in refused.value.message
    assert "line 2: " in refused.value.message


def test_rejects_special_file_in_place_of_yaml_file_without_blocking(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name, complaint in (("pipe", "is not a file"), ("none", "does not exist")):
        with pytest.raises(AgentError, match=f"{name} {complaint}"):
            read_form(tmp_path / name, Shelf, 1000)


@given(st.text("books:height -{}[]&*!?\n#'\"", max_size=60))
def test_any_yaml_text_is_valid_or_raises_agent_error(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    with contextlib.suppress(AgentError):  # any other exception fails the test
        assert isinstance(read(tmp_path_factory.getbasetemp(), text.encode()), Shelf)
