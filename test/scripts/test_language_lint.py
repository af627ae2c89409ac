"""Language lint: finds the patterns that it bans, and accepts plain English."""

from pathlib import Path

import pytest

from scripts.language_lint import ROOT, Text, check, files, read


def findings(text: str, kind: str = "prose") -> list[str]:
    return [finding.reason for finding in check(Text(ROOT / "page.md", 1, kind, text))]


@pytest.mark.parametrize(
    "text",
    [
        "5/x is no rate.",
        "Who is slow misses some frames.",
        "What was refused is told with the lines.",
        "The command says how to mend it.",
        "Tools of others are asked about.",
        "The ears hear nothing.",
        "It is tried in vain.",
        " ".join(["word"] * 50),
    ],
)
def test_finds_unidiomatic_text(text: str) -> None:
    assert findings(text)


@pytest.mark.parametrize(
    "text",
    [
        "The rate is not valid: expected COUNT/UNIT.",
        "Slow clients skip frames.",
        "There is no camera.",
        "The node is no longer running.",
        "What is the wake name?",
        "What it does: creates publishers.",
        "The message is told to the person who asked.",
    ],
)
def test_accepts_plain_text(text: str) -> None:
    assert findings(text) == []


@pytest.mark.parametrize("summary", ["What a docstring says.", "Where it is.", "It returns a pose."])
def test_docstring_summary_needs_a_subject(summary: str) -> None:
    assert findings(summary, "docstring")
    assert not findings("Returns the pose.", "docstring")


def test_reads_prose_without_code(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# Title\n\nOne `is no x` text\nin two lines.\n\n```bash\nis no command\n```\n\n| a | b |\n", "utf-8"
    )
    assert [text.text for text in read(page)] == ["Title", "One X text in two lines.", "a", "b"]


def test_reads_docstrings_messages_comments_and_test_names(tmp_path: Path) -> None:
    source = '"""Module."""\n\n\ndef test_one_thing():\n    raise ValueError("A long message here.")  # why\n'
    module = tmp_path / "module.py"
    module.write_text(source, "utf-8")
    assert {(text.kind, text.text) for text in read(module)} == {
        ("docstring", "Module."),
        ("test name", "one thing"),
        ("message", "A long message here."),
        ("comment", "why"),
    }


def test_checks_code_docs_and_console_but_no_generated_page() -> None:
    checked = {str(path.relative_to(ROOT)) for path in files()}
    assert {"README.md", "docs/index.md", "scripts/language_lint.py", "console/src/main.tsx"} <= checked
    assert not any(name.startswith("docs/reference/ros/") for name in checked)
