from __future__ import annotations

from reachy_agent_ros.tool_generation.registry.record import Record


def test_needs_review_by_default() -> None:
    assert Record("person").needs_review


def test_keeps_200_characters_of_author() -> None:
    assert Record("a" * 200).sanitised().author == "a" * 200
    assert Record("a" * 201).sanitised().author.count("a") == 200
