"""Tests that the language lint finds banned patterns, accepts plain English, and reads all kinds of text."""

import subprocess
from pathlib import Path

import pytest

from scripts.language import __main__ as lint
from scripts.language.__main__ import ROOT, Settings, main
from scripts.language.patterns import reasons
from scripts.language.texts import read


def findings(text: str, kind: str = "prose") -> list[str]:
    return reasons(text, kind, 40)


@pytest.mark.parametrize(
    "text",
    [
        "5/x is no rate.",
        "A number that is none.",
        "Who is slow misses some frames.",
        "The frame is sent. What was refused stays.",
        "Whoever asks first is served.",
        "so that who aims there falls short",
        "What came of the request.",
        "A refusal is told with the lines.",
        "The command says how to mend it.",
        "The words are the same, all the same.",
        "It is tried in vain.",
        "Tools of others are asked about.",
        "The connection comes back by itself.",
        "The recording goes on.",
        "The robot's ears hear nothing.",
        "No tool leaves the lesser box.",
        "The message is not as it must be.",
        "The device cannot be had.",
        " ".join(["word"] * 41),
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
        "The result is None if the node is no longer running.",
        "What is the wake name?",
        "What to do next: start the graph.",
        "Decides who is speaking to the robot and what it says.",
        "The model is told about recognized actions.",
        "The mind of a person.",
        "The box of each detection is in pixels.",
        "None of them is valid.",
        "The head has two joints. It moves at once.",
        " ".join(["word"] * 40),
    ],
)
def test_accepts_plain_text(text: str) -> None:
    assert findings(text) == []


@pytest.mark.parametrize("summary", ["What a docstring says.", "Where it is.", "It returns a pose.", "Its limits."])
def test_rejects_docstring_summary_without_subject(summary: str) -> None:
    assert findings(summary, "docstring")
    assert not findings("Returns the pose.", "docstring")


def test_rejects_docstring_summary_in_imperative() -> None:
    assert findings("Return the pose.", "docstring")
    assert not findings("Return the key when you leave.", "prose")


def test_extracts_reason_of_suppressed_check(tmp_path: Path) -> None:
    source = "assert x  # noqa: S101, PT018 - both are open\nassert y  # noqa: S101\n"
    assert texts(tmp_path / "module.py", source)[0] == (1, "comment", "both are open")


def test_rejects_test_name_without_subject() -> None:
    assert findings("that a wrong token fails", "test name")
    assert not findings("rejects wrong token", "test name")


def texts(path: Path, source: str) -> list[tuple[int, str, str]]:
    path.write_text(source, "utf-8")
    return sorted((text.line, text.kind, text.text) for text in read(path))


def test_extracts_prose_without_code(tmp_path: Path) -> None:
    source = "# Title\n\nOne `is no x` text\nin [two](x.md) lines.\n\n```bash\nis no command\n```\n\n| a | b |\n"
    assert texts(tmp_path / "page.md", source) == [
        (1, "prose", "Title"),
        (3, "prose", "One X text in [two] lines."),
        (10, "prose", "a"),
        (10, "prose", "b"),
    ]


def test_extracts_docstrings_errors_strings_comments_and_test_names(tmp_path: Path) -> None:
    source = (
        '"""Module."""\n\nPROMPT = "You are a small robot."\nKEY = "a key"\n\n\ndef test_one_thing():\n'
        '    """Summary.\n\n    Details.\n    """\n    # One reason\n    # in two lines.\n'
        '    raise ValueError(f"Bad value {KEY} here.")\n'
    )
    assert texts(tmp_path / "module.py", source) == [
        (1, "docstring", "Module."),
        (3, "string", "You are a small robot."),
        (7, "test name", "one thing"),
        (8, "details", "Details."),
        (8, "docstring", "Summary."),
        (12, "comment", "One reason in two lines."),
        (14, "error", "Bad value X here."),
    ]


def test_extracts_labels_comments_and_test_names_of_console(tmp_path: Path) -> None:
    source = (
        '/** A view. */\ntest("signs in", () => {});\nconst x = <p title="Sign out now">\n  Sign in\n</p>; // why\n'
    )
    assert texts(tmp_path / "view.tsx", source) == [
        (1, "comment", "A view."),
        (2, "test name", "signs in"),
        (3, "console", "Sign in"),
        (3, "console", "Sign out now"),
        (5, "comment", "why"),
    ]


def test_extracts_comments_of_message_definitions_and_scripts(tmp_path: Path) -> None:
    assert texts(tmp_path / "Pose.msg", "# One\n# comment\nfloat64 yaw # rad\n") == [
        (1, "comment", "One comment rad"),
    ]


def test_checks_every_kind_of_file_except_generated_pages() -> None:
    checked = {str(path.relative_to(ROOT)) for path in Settings.load().files()}
    assert {"README.md", "scripts/test", "console/src/main.tsx", "reachy_agent_msgs/msg/Turn.msg"} <= checked
    assert not any(name.startswith("docs/reference/ros/") for name in checked)


def test_paths_in_lint_configuration_exist() -> None:
    settings = Settings.load()
    assert [path for path in (*settings.checked, *settings.skip) if not (ROOT / path).exists()] == []


def test_lint_command_prints_path_and_line_and_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(lint, "ROOT", tmp_path)
    settings = '[tool.language]\nlongest-sentence = 40\nchecked = ["a.md"]\nskip = []\n'
    (tmp_path / "pyproject.toml").write_text(settings, "utf-8")
    (tmp_path / "a.md").write_text("# Rates\n\n5/x is no rate.\n", "utf-8")
    (tmp_path / "b.md").write_text("One.\n", "utf-8")
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    assert main([]) == 1
    assert capsys.readouterr().out.startswith("a.md:3: negated noun")
    assert main(["b.md"]) == 0
    assert main(["--statistics"]) == 0
    assert "prose          3 texts" in capsys.readouterr().out
