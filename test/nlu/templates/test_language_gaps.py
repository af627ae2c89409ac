"""Tests of the report about missing parts of a language."""

import shutil
from pathlib import Path

import pytest

from reachy_agent_ros.nlu.templates.language import LANGUAGES
from reachy_agent_ros.nlu.templates.language_gaps import language_gaps


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Copies the languages German and Italian to a folder, and returns it."""
    for code in ("de", "it"):
        shutil.copytree(LANGUAGES / code, tmp_path / code)
    return tmp_path


def test_packaged_languages_are_complete() -> None:
    assert [str(gaps) for gaps in language_gaps() if not gaps.complete] == []


def test_names_missing_files_intents_and_values(folder: Path) -> None:
    (folder / "it" / "answers.yaml").unlink()
    (folder / "it" / "intents" / "undo.yaml").unlink()
    common = folder / "it" / "common.yaml"
    lines = common.read_text(encoding="utf-8").splitlines(keepends=True)
    common.write_text("".join(line for line in lines if not line.startswith("    duck:")), encoding="utf-8")
    german, italian = language_gaps(folder)
    assert german.complete
    assert (italian.files, italian.intents, italian.values) == (["answers.yaml"], ["undo"], {"object": ["duck"]})
    assert str(italian) == "it lacks intents: undo; file answers.yaml; object: duck"


def test_names_mistake_in_file(folder: Path) -> None:
    (folder / "it" / "intents" / "undo.yaml").write_text("sentences: [nothing]", encoding="utf-8")
    _, italian = language_gaps(folder)
    assert not italian.complete
    assert "undo.yaml" in italian.mistake
