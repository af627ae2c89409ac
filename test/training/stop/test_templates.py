"""Tests of the templates that generate training sentences for the stop classifier."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from reachy_agent_ros.nlu.stop.classifier import LABELS
from training.stop.sentences import HELD_OUT_AUTHORS, LANGUAGES
from training.stop.templates import FOLDER, Template, read_templates, sentences

FILES = sorted(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_template_expands_to_sentences_without_template_notation(path: Path) -> None:
    templates, slots = read_templates(path)
    for template in templates:
        assert template.language in LANGUAGES
        assert set(template.labels) <= set(LABELS)
        found = list(sentences(template, slots, 5, random.Random(0)))
        assert found
        assert not any(mark in sentence for sentence in found for mark in "$|()=")


def test_every_language_has_templates_for_each_label_and_validation_author() -> None:
    templates = [template for path in FILES for template in read_templates(path)[0]]
    for language in LANGUAGES:
        own = [template for template in templates if template.language == language]
        assert {label for template in own for label in template.labels} == set(LABELS)
        assert {template.author for template in own} & HELD_OUT_AUTHORS


def test_template_expands_nested_choices_and_slots() -> None:
    template = Template("en", ("none",), "somebody", "(a $thing|) (b (c|c))")
    found = set(sentences(template, {"thing": ["cup", "ball"]}, 20, random.Random(1)))
    assert found == {"a cup b c", "a ball b c", "b c"}


@pytest.mark.parametrize("line", ["an $unknown slot", "(one | two"])
def test_error_for_invalid_template_names_file_and_line(line: str, tmp_path: Path) -> None:
    path = tmp_path / "en.txt"
    path.write_text(f"# Comment\n= none somebody\ngood\n{line}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"en\.txt, line 4"):
        read_templates(path)
