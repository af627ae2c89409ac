"""The site builds, its links lead somewhere, and its commands are those of this program."""

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

# Commands in the pages that no test runs. Commands of this project are parsed instead.
NOT_OURS = {
    **dict.fromkeys(("ros2", "rosdep", "eval", "source"), "needs a ROS 2 installation beside the wheels"),
    **dict.fromkeys(("sudo", "apt", "systemctl", "loginctl"), "changes the computer of whoever runs it"),
    **dict.fromkeys(("pip", ".venv/bin/pip", "git", "mkcert", "ollama"), "fetches from the network"),
    "claude": "is a third-party program",
    "ssh": "needs the robot",
    "curl": "test/graph/test_api_paths.py asks the same paths",
    "npm": "test/console drives what it builds, and scripts/test runs the page's own tests",
    "python3": "builds with colcon, as test/test_packaging.py does",
    ".venv-daemon/bin/reachy-mini-daemon": "test/robot starts it",
    **dict.fromkeys(("mkdir", "cp", "cd", "export"), "a shell's own"),
}


# Where the tests of a command of ours are, that are not in test/cli/commands/test_NAME.py; or why no test runs it.
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
    "film": "draws for minutes; test/vision/test_film.py draws some pictures",
}


PARSER = command_parser()

FOLDERS = "bench config console evaluation examples launch reachy_agent_msgs reachy_agent_ros requirements"
OURS = "|".join([*FOLDERS.split(), "scripts", "test", "training"])


def names(pages: list[Path]) -> list[str]:
    return [str(page.relative_to(ROOT)) for page in pages]


def bash(page: Path) -> list[list[str]]:
    return [shlex.split(line) for block in blocks(page) if block.language == "bash" for line in block.commands()]


def without_settings(words: list[str]) -> list[str]:
    """Without `NAME=value` before the command."""
    return words[1:] if re.match(r"\w+=", words[0]) else words


def anchors(page: Path) -> set[str]:
    """Of its headings, as GitHub and the site make them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.slow
def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    page = tmp_path / "reference" / "python" / "commander" / "index.html"
    assert "ReachyCommander.move_head" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("page", BESIDE, ids=names(BESIDE))
def test_links_from_beside_the_site_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)]+)\)", page.read_text(encoding="utf-8")):
        name, _, anchor = target.partition("#")
        linked = page.parent / name if name else page
        assert linked.exists(), target
        assert not anchor or anchor in anchors(linked), target


@pytest.mark.parametrize("page", PAGES, ids=names(PAGES))
def test_every_command_of_ours_takes_what_the_pages_give_it(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
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
def test_every_command_of_ours_is_run_by_a_test_or_said_why_not(page: Path) -> None:
    for words in map(without_settings, filter(without_settings, bash(page))):
        if words[0].endswith("reachy-agent") and words[1].isalpha() and words[1] not in NOT_TESTED:
            tests = ROOT / TESTED_IN.get(words[1], f"test/cli/commands/test_{words[1]}.py")
            assert re.search(rf"\b{words[1]}\b", tests.read_text(encoding="utf-8")), words


@pytest.mark.parametrize("page", PAGES, ids=names(PAGES))
def test_code_blocks_are_fenced_and_have_a_language(page: Path) -> None:
    fences = re.findall(r"^ *```.*$", page.read_text(encoding="utf-8"), re.M)
    assert all(re.fullmatch(r"```\w+", fence) for fence in fences[::2]), fences[::2]
    assert all(fence == "```" for fence in fences[1::2])
    prose = re.sub(r"^```\w+\n.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    assert not re.findall(r"^    .*", prose, re.M), "commands in an indented block are not checked"


@pytest.mark.parametrize("page", PAGES, ids=names(PAGES))
def test_every_other_command_is_there_or_said_why_it_is_not_run(page: Path) -> None:
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
    """Package and arguments of each command of a page that runs an area, in blocks and in sentences."""
    sentences = re.findall(r"`((?:reachy-agent|scripts/)[^`]+)`", page.read_text(encoding="utf-8"))
    found = []
    for words in [*map(without_settings, filter(without_settings, bash(page))), *map(shlex.split, sentences)]:
        for package, program in PROGRAMS.items():
            named = program.split()
            if words[: len(named)] == named and len(words) > len(named):
                found.append((package, words[len(named) :]))
    return found


@pytest.mark.parametrize("page", PAGES, ids=names(PAGES))
def test_areas_and_their_options_exist(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for package, (area, *options) in area_commands(page):
        command, known = shlex.join([PROGRAMS[package], area, *options]), areas(package)
        assert area == "AREA" or area in known, f"{command}: unknown area, expected one of {list(known)}"
        try:
            if options:
                area_parser(package, area).parse_args(options)
        except SystemExit:
            pytest.fail(f"{command}: {capsys.readouterr().err}")


@pytest.mark.parametrize("page", TUTORIALS, ids=names(TUTORIALS))
def test_every_block_of_a_tutorial_runs_in_a_test_or_says_why_not(page: Path) -> None:
    for block in blocks(page):
        if block.language == "bash":
            assert re.fullmatch(r"runs|runs: in the graph(, and is refused)?|not run: \S.*", block.mark), block.text


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in TUTORIALS if marked(page, "runs")], ids=lambda page: page.stem)
def test_a_tutorial_does_what_it_says(page: Path, tmp_path: Path) -> None:
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
def test_the_files_and_tests_that_a_page_names_are_there(page: Path) -> None:
    named = re.findall(rf"`(scripts/[\w-]+|(?:{OURS})/[\w./-]+\.\w+)(?:::(\w+))?`", page.read_text(encoding="utf-8"))
    for name, test in named:
        assert (ROOT / name).exists(), name
        assert not test or f"def {test}(" in (ROOT / name).read_text(encoding="utf-8"), f"{name}::{test}"


GUIDES = [DOCS / "concepts" / "architecture.md", DOCS / "concepts" / "glossary.md", ROOT / "CONTRIBUTING.md"]
FILE_ROOTS = (ROOT / "reachy_agent_ros", ROOT, ROOT / ".github" / "workflows")
"""What the names of files in the guides are relative to."""

TOPICS = ("audio/capture",)

_CODE = re.compile(r"`([^`\n]+)`")
_PATH = re.compile(r"(?!\.venv/)\.?\w[\w.-]*(?:/[\w.-]+)+/?|\w[\w-]*\.(?:md|msg|py|toml|yml)")
_CLASS = re.compile(r"[A-Z][a-z]\w*(?:\.\w+)?")


def named_files(text: str) -> dict[str, Path]:
    """The files and folders that a text names; a path that contains NAME is a pattern."""
    words = [code.split()[0] for code in _CODE.findall(text)]
    paths = [word for word in words if _PATH.fullmatch(word) and word not in TOPICS and "NAME" not in word]
    return {path: next((root / path for root in FILE_ROOTS if (root / path).exists()), ROOT / path) for path in paths}


@pytest.mark.parametrize("page", GUIDES, ids=names(GUIDES))
def test_every_file_that_a_guide_names_exists(page: Path) -> None:
    found = named_files(page.read_text(encoding="utf-8"))
    assert len(found) > 20
    assert [name for name, path in found.items() if not path.exists()] == []


@pytest.mark.parametrize("page", GUIDES[:2], ids=names(GUIDES[:2]))
def test_every_class_that_a_guide_names_is_in_the_file_beside_it(page: Path) -> None:
    for entry in re.split(r"\n(?=\d+\. |\||\n)", page.read_text(encoding="utf-8")):
        sources = [path.read_text(encoding="utf-8") for path in named_files(entry).values() if path.is_file()]
        for name in filter(_CLASS.fullmatch, _CODE.findall(entry)):
            parts = [re.compile(rf"\b{part}\b") for part in name.split(".")]
            assert not sources or any(all(part.search(source) for part in parts) for source in sources), entry


TROUBLESHOOTING = "\n".join(
    page.read_text(encoding="utf-8") for page in sorted((DOCS / "guides").glob("troubleshooting*.md"))
)
SOURCES = "\n".join(
    re.sub(r'"\s*\n\s*f?"', "", path.read_text(encoding="utf-8"))  # a sentence on two lines of the source
    for folder in (ROOT / "reachy_agent_ros", ROOT / "scripts")
    for path in sorted(folder.rglob("*"))
    if path.is_file() and path.suffix in ("", ".py")
)


@pytest.mark.parametrize("heading", re.findall(r"^### (.*)$", TROUBLESHOOTING, re.M))
def test_a_heading_of_troubleshooting_is_a_message_of_the_program(heading: str) -> None:
    pieces = [piece.strip() for piece in heading.replace("\\", "").split("…")]
    assert sum(map(len, pieces)) > 12, "too little to look for"
    for piece in pieces:
        assert piece in SOURCES, f"no message of the program holds {piece!r}"


def test_every_error_code_has_a_remedy() -> None:
    page = (DOCS / "reference" / "errors.md").read_text(encoding="utf-8")
    explained = set(re.findall(r"^\| `([A-Z_]+)` \| \d+ \| \d+ \| [^|]+\. \| [^|]+\. \|$", page, re.M))
    assert explained == {code.name for code in ErrorCode if code is not ErrorCode.NONE}
