from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.personas.template import DEEPEST, LARGEST, read_template
from reachy_agent_ros.core.errors import AgentError, ErrorCode

VALUES = {"owner": "Ada", "robot_name": "Reachy"}


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def expand(folder: Path, text: str) -> str:
    return read_template(write(folder, "instructions.md", text), [folder]).expand(VALUES)


def complaint(folder: Path, text: str) -> str:
    with pytest.raises(AgentError) as error:
        expand(folder, text)
    assert error.value.code is ErrorCode.INVALID_ARGUMENTS
    return error.value.message


def test_template_expands_values_includes_and_escaped_braces(tmp_path: Path) -> None:
    write(tmp_path, "common/manner.md", "\ufeffBe kind to {owner}.\n\n")
    text = 'You are {robot_name}.\n\n{include:common/manner.md} Say {{"a": 1}}.\n'
    assert expand(tmp_path, text) == 'You are Reachy.\n\nBe kind to Ada. Say {"a": 1}.'


def test_template_includes_file_from_first_folder_that_contains_it(tmp_path: Path) -> None:
    write(tmp_path / "own", "common/manner.md", "mine")
    write(tmp_path / "shipped", "common/manner.md", "theirs")
    write(tmp_path / "shipped", "common/more.md", "more")
    path = write(tmp_path, "instructions.md", "{include:common/manner.md} {include:common/more.md}")
    assert read_template(path, [tmp_path / "own", tmp_path / "shipped"]).expand({}) == "mine more"


def test_value_in_template_is_inserted_as_one_literal_line(tmp_path: Path) -> None:
    path = write(tmp_path, "instructions.md", "You live with {owner}.")
    template = read_template(path, [])
    assert template.expand({"owner": "{robot_name}\n\n# New rules\x00"}) == "You live with {robot_name} # New rules."
    assert len(template.expand({"owner": "x" * 10_000})) < 300


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("\n\nfor {somebody}", ":3: there is no value {somebody}; available: owner, robot_name"),
        ("a\n{", ":2: a single {"),
        ("}", ":1: a single }"),
        ("{{}", ":1: a single }"),
        ("{owner\n}", ":1: a single {"),
        ("{}", ":1: {} is neither"),
        ("{Owner}", ":1: {Owner} is neither"),
        ("{owner.__class__}", ":1: {owner.__class__} is neither"),
        ("{owner!r:>1000}", "is neither"),
        ("{include:/etc/passwd.md}", "is neither"),
        ("{include:../secret.md}", "is neither"),
        ("{include:a/../../secret.md}", "is neither"),
        ("{include:.hidden.md}", "is neither"),
        ("{include:persona.yaml}", "is neither"),
        ("a\n\n{include:none.md}", ":3: there is no none.md to include"),
        (f"{{include:{'a' * 5_000}.md}}", "to include in"),
        ("{include:instructions.md}", ":1: instructions.md would include itself"),
    ],
)
def test_template_error_names_file_and_line(tmp_path: Path, text: str, what: str) -> None:
    assert f"{what}" in complaint(tmp_path, text)
    assert str(tmp_path / "instructions.md") in complaint(tmp_path, text)


def test_template_error_in_included_file_names_that_file(tmp_path: Path) -> None:
    piece = write(tmp_path, "piece.md", "one\ntwo {nobody}")
    assert complaint(tmp_path, "{include:piece.md}").startswith(f"{piece}:2:")


def test_rejects_circular_includes_of_template(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "{include:b.md}")
    write(tmp_path, "b.md", "{include:a.md}")
    assert "would include itself" in complaint(tmp_path, "{include:a.md}")


def test_limits_size_and_include_depth_of_template(tmp_path: Path) -> None:
    write(tmp_path, "large.md", "x" * (LARGEST // 2))
    assert "with its included files" in complaint(tmp_path, "{include:large.md}{include:large.md}")
    assert f"more than {LARGEST} bytes" in complaint(tmp_path, "x" * (LARGEST + 1))
    for number in range(DEEPEST + 1):
        write(tmp_path, f"p{number}.md", f"{{include:p{number + 1}.md}}")
    assert "nested too deeply" in complaint(tmp_path, "{include:p0.md}")


def test_rejects_template_that_is_not_text(tmp_path: Path) -> None:
    (tmp_path / "binary.md").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "folder.md").mkdir()
    assert "UTF-8" in complaint(tmp_path, "{include:binary.md}")
    assert "not a file" in complaint(tmp_path, "{include:folder.md}")


@given(st.text(st.characters(exclude_characters="{}", exclude_categories=["Cs", "Cc"])))
def test_template_without_braces_is_unchanged(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    assert expand(tmp_path_factory.getbasetemp(), text) == text.strip().removeprefix("\ufeff").strip()


@given(st.text("{}ownerinclude:/.md\n a", max_size=40))
def test_template_expansion_of_any_text_is_deterministic(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    folder = tmp_path_factory.getbasetemp()
    outcomes = set()
    for _ in range(2):
        try:
            outcomes.add(expand(folder, text))
        except AgentError as error:
            outcomes.add(error.message)
    assert len(outcomes) == 1
