"""Evaluation of facts that people state in conversations."""

import json
from pathlib import Path

import pytest

from evaluation.understanding.facts import CONVERSATIONS, main

DIALOGUE = """
- language: en
  turns:
    - {say: "My dog is called Bella.", facts: {dog name: Bella}}
    - {say: "The tale of my day is long.", facts: {day: long}}
    - {say: "My cat is called Nero.", facts: {}}
    - {ask: "What is my dog called?", answer: Bella}
    - {ask: "What is my sister called?", answer: unknown}
    - {ask: "What is my cat called?", answer: Tom}
"""


def figures(capsys: pytest.CaptureFixture[str], file: Path) -> dict[str, float]:
    assert main(as_json=True, file=file) == 0
    return {figure["name"]: figure["value"] for figure in json.loads(capsys.readouterr().out)["figures"]}


def test_counts_missed_facts_wrong_facts_and_wrong_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "conversations.yaml"
    file.write_text(DIALOGUE)
    found = figures(capsys, file)
    assert found["facts stated"] == 2
    assert found["facts kept right"] == 50.0
    assert found["wrong facts among those kept"] == 50.0
    assert found["questions answered right"] == pytest.approx(200.0 / 3.0, abs=0.01)


def test_development_conversations_show_no_regression(capsys: pytest.CaptureFixture[str]) -> None:
    found = figures(capsys, CONVERSATIONS)
    assert found["facts kept right"] > 95.0
    assert found["wrong facts among those kept"] == 0.0
    assert found["questions answered right"] > 95.0
