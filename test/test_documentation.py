"""Tests that the documentation builds without warnings, its links work, and its commands are valid."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from bench.areas import PROGRAMS, area_parser, areas
from reachy_agent_ros.bringup import resolve
from reachy_agent_ros.cli.cli import command_parser
from reachy_agent_ros.core.errors import ErrorCode
from support.documentation import BESIDE, DOCS, PAGES, ROOT, TUTORIALS, blocks, marked

# Third-party commands in the documentation that no test runs, with the reason. Commands of this project are parsed.
NOT_OURS = {
    **dict.fromkeys(("ros2", "rosdep", "eval", "source"), "needs a ROS 2 installation beside the wheels"),
    **dict.fromkeys(("sudo", "apt", "systemctl", "loginctl"), "changes the system configuration"),
    **dict.fromkeys(("pip", ".venv/bin/pip", "git", "mkcert", "ollama"), "needs network access"),
    "claude": "is a third-party program",
    "ssh": "needs the robot",
    "curl": "test/graph/test_api_paths.py requests the same paths",
    "npm": "test/console tests the page that it builds, and scripts/test runs the tests of the page",
    "python3": "runs colcon, which test/test_packaging.py tests",
    ".venv-daemon/bin/reachy-mini-daemon": "test/robot starts it",
    **dict.fromkeys(("mkdir", "cp", "cd", "export"), "a basic shell command"),
}


# Test files of the `reachy-agent` commands that are not tested in test/cli/commands/test_NAME.py.
TESTED_IN = {
    **dict.fromkeys(("up", "down", "ask", "hear", "stop", "status"), "test/graph/test_up.py"),
    "topics": "test/ros/client/test_topic_view.py",
    "bench": "test/bench/test_areas.py",
    "completion": "test/test_completion.py",
    "demo": "test/cli/test_output.py",
    "env": "test/cli/test_cli.py",
    "foxglove": "test/ros/test_foxglove.py",
    "restore": "test/cli/commands/test_backup.py",
}
NOT_TESTED = {
    "film": "rendering takes minutes; test/vision/test_film.py renders some frames",
}


PARSER = command_parser()

FOLDERS = "bench config console evaluation examples launch reachy_agent_msgs reachy_agent_ros requirements"
OURS = "|".join([*FOLDERS.split(), "scripts", "test", "training"])


def names(pages: list[Path]) -> list[str]:
    return [str(page.relative_to(ROOT)) for page in pages]


def bash(page: Path) -> list[list[str]]:
    return [shlex.split(line) for block in blocks(page) if block.language == "bash" for line in block.commands()]


def without_settings(words: list[str]) -> list[str]:
    """Removes the first word of a command if it is an assignment of the form `NAME=value`."""
    return words[1:] if re.match(r"\w+=", words[0]) else words


def anchors(page: Path) -> set[str]:
    """Returns the anchors of all headings of a page, in the format of GitHub and MkDocs."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.slow
def test_documentation_site_builds_without_warnings(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    page = tmp_path / "reference" / "python" / "commander" / "index.html"
    assert "ReachyCommander.move_head" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("page", BESIDE, ids=names(BESIDE))
def test_links_in_pages_outside_documentation_site_resolve(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)]+)\)", page.read_text(encoding="utf-8")):
        name, _, anchor = target.partition("#")
        linked = page.parent / name if name else page
        assert linked.exists(), target
        assert not anchor or anchor in anchors(linked), target


@pytest.mark.parametrize("page", PAGES, ids=names(PAGES))
def test_documented_reachy_agent_commands_have_valid_arguments(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in map(without_settings, filter(without_settings, bash(page))):
        if words[0].endswith("reachy-agent"):
            end = next((place for place, word in enumerate(words) if word in ("&", "|", ">")), None)
            taken = [word for word in words[1:end] if "NAME:=" not in word]
            try:
                arguments = PARSER.parse_args(taken)
            except SystemExit:
                pytest.fail(f"{shlex.join(words)}: {capsys.readouterr().err}")
            if arguments.command == "up":
                resolve(dict(setting.split(":=", 1) for setting in arguments.settings))


@pytest.mark.parametrize("page", PAGES, ids=names(PAGES))
def test_documented_reachy_agent_commands_are_tested_or_listed_as_untested(page: Path) -> None:
    for words in map(without_settings, filter(without_settings, bash(page))):
        if words[0].endswith("reachy-agent") and words[1].isalpha() and words[1] not in NOT_TESTED:
            tests = ROOT / TESTED_IN.get(words[1], f"test/cli/commands/test_{words[1]}.py")
            assert re.search(rf"\b{words[1]}\b", tests.read_text(encoding="utf-8")), words


@pytest.mark.parametrize("page", PAGES, ids=names(PAGES))
def test_code_blocks_are_fenced_and_name_language(page: Path) -> None:
    fences = re.findall(r"^ *```.*$", page.read_text(encoding="utf-8"), re.M)
    assert all(re.fullmatch(r"```\w+", fence) for fence in fences[::2]), fences[::2]
    assert all(fence == "```" for fence in fences[1::2])
    prose = re.sub(r"^```\w+\n.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    assert not re.findall(r"^    .*", prose, re.M), "use a fenced code block: indented blocks are not checked"


@pytest.mark.parametrize("page", PAGES, ids=names(PAGES))
def test_other_documented_commands_exist_or_are_listed_as_third_party(page: Path) -> None:
    for words in map(without_settings, filter(without_settings, bash(page))):
        program = words[0]
        if program.endswith("bin/python"):
            files = [word for word in words[1:] if word.endswith(".py")]
            assert all((ROOT / file).is_file() for file in files), words
        elif program.startswith("scripts/"):
            assert os.access(ROOT / program, os.X_OK), words
        else:
            assert program.endswith("reachy-agent") or program in NOT_OURS, words


def area_commands(page: Path) -> list[tuple[str, list[str]]]:
    """Returns the package and the arguments of each command on a page that runs an area.

    The commands are in code blocks and inline code.
    """
    sentences = re.findall(r"`((?:reachy-agent|scripts/)[^`]+)`", page.read_text(encoding="utf-8"))
    found = []
    for words in [*map(without_settings, filter(without_settings, bash(page))), *map(shlex.split, sentences)]:
        for package, program in PROGRAMS.items():
            named = program.split()
            if words[: len(named)] == named and len(words) > len(named):
                found.append((package, words[len(named) :]))
    return found


@pytest.mark.parametrize("page", PAGES, ids=names(PAGES))
def test_documented_areas_and_their_options_exist(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for package, (area, *options) in area_commands(page):
        command, known = shlex.join([PROGRAMS[package], area, *options]), areas(package)
        assert area == "AREA" or area in known, f"{command}: unknown area, expected one of {list(known)}"
        try:
            if options:
                area_parser(package, area).parse_args(options)
        except SystemExit:
            pytest.fail(f"{command}: {capsys.readouterr().err}")


@pytest.mark.parametrize("page", TUTORIALS, ids=names(TUTORIALS))
def test_tutorial_code_blocks_state_whether_they_are_tested(page: Path) -> None:
    for block in blocks(page):
        if block.language == "bash":
            assert re.fullmatch(r"runs|runs: in the graph(, and is refused)?|not run: \S.*", block.mark), block.text


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in TUTORIALS if marked(page, "runs")], ids=lambda page: page.stem)
def test_tutorial_commands_succeed(page: Path, tmp_path: Path) -> None:
    for block in blocks(page):
        if block.mark.startswith("file: "):
            path = tmp_path / block.mark.removeprefix("file: ")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
    script = f"set -euo pipefail\n{marked(page, 'runs')}"
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "REACHY_AGENT_STATE": str(tmp_path / "state")}
    done = subprocess.run(["bash", "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("page", PAGES, ids=names(PAGES))
def test_files_and_tests_named_in_documentation_exist(page: Path) -> None:
    named = re.findall(rf"`(scripts/[\w-]+|(?:{OURS})/[\w./-]+\.\w+)(?:::(\w+))?`", page.read_text(encoding="utf-8"))
    for name, test in named:
        assert (ROOT / name).exists(), name
        assert not test or f"def {test}(" in (ROOT / name).read_text(encoding="utf-8"), f"{name}::{test}"


GUIDES = [DOCS / "concepts" / "architecture.md", DOCS / "concepts" / "glossary.md", ROOT / "CONTRIBUTING.md"]
FILE_ROOTS = (ROOT / "reachy_agent_ros", ROOT, ROOT / ".github" / "workflows")
"""Folders to which file names in the guides are relative."""

TOPICS = ("audio/capture",)

_CODE = re.compile(r"`([^`\n]+)`")
_PATH = re.compile(r"(?!\.venv/)\.?\w[\w.-]*(?:/[\w.-]+)+/?|\w[\w-]*\.(?:md|msg|py|toml|yml)")
_CLASS = re.compile(r"[A-Z][a-z]\w*(?:\.\w+)?")


def named_files(text: str) -> dict[str, Path]:
    """Returns the files and folders that a text names.

    Paths that contain NAME are patterns, and are omitted.
    """
    words = [code.split()[0] for code in _CODE.findall(text)]
    paths = [word for word in words if _PATH.fullmatch(word) and word not in TOPICS and "NAME" not in word]
    return {path: next((root / path for root in FILE_ROOTS if (root / path).exists()), ROOT / path) for path in paths}


@pytest.mark.parametrize("page", GUIDES, ids=names(GUIDES))
def test_files_named_in_guides_exist(page: Path) -> None:
    found = named_files(page.read_text(encoding="utf-8"))
    assert len(found) > 20
    assert [name for name, path in found.items() if not path.exists()] == []


@pytest.mark.parametrize("page", GUIDES[:2], ids=names(GUIDES[:2]))
def test_classes_named_in_guides_are_in_file_named_with_them(page: Path) -> None:
    for entry in re.split(r"\n(?=\d+\. |\||\n)", page.read_text(encoding="utf-8")):
        sources = [path.read_text(encoding="utf-8") for path in named_files(entry).values() if path.is_file()]
        for name in filter(_CLASS.fullmatch, _CODE.findall(entry)):
            parts = [re.compile(rf"\b{part}\b") for part in name.split(".")]
            assert not sources or any(all(part.search(source) for part in parts) for source in sources), entry


TROUBLESHOOTING = "\n".join(
    page.read_text(encoding="utf-8") for page in sorted((DOCS / "guides").glob("troubleshooting*.md"))
)
SOURCES = "\n".join(
    re.sub(r'"\s*\n\s*f?"', "", path.read_text(encoding="utf-8"))  # joins string literals that span two lines
    for folder in (ROOT / "reachy_agent_ros", ROOT / "scripts")
    for path in sorted(folder.rglob("*"))
    if path.is_file() and path.suffix in ("", ".py")
)


@pytest.mark.parametrize("heading", re.findall(r"^### (.*)$", TROUBLESHOOTING, re.M))
def test_troubleshooting_headings_are_messages_of_the_program(heading: str) -> None:
    pieces = [piece.strip() for piece in heading.replace("\\", "").split("…")]
    assert sum(map(len, pieces)) > 12, f"heading is too short to search for: {heading!r}"
    for piece in pieces:
        assert piece in SOURCES, f"no message in the source contains {piece!r}"


def test_error_reference_contains_remedy_for_every_error_code() -> None:
    page = (DOCS / "reference" / "errors.md").read_text(encoding="utf-8")
    explained = set(re.findall(r"^\| `([A-Z_]+)` \| \d+ \| \d+ \| [^|]+\. \| [^|]+\. \|$", page, re.M))
    assert explained == {code.name for code in ErrorCode if code is not ErrorCode.NONE}
