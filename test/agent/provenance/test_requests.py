"""Detection of the tools that a sentence requests. The sentences were written independently of the patterns."""

from dataclasses import replace
from pathlib import Path

import pytest

from reachy_agent_ros.agent.provenance.requests import clauses_of, has_pattern, names, tools_asked
from reachy_agent_ros.tools.protocol.tools import ToolDescription, ToolOrigin
from support.agent.labeled_mind import predefined_descriptions

SENTENCES = [
    tuple(line.split("\t"))
    for line in Path(__file__).with_name("requests.tsv").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


def asked(text: str) -> frozenset[str]:
    return frozenset[str]().union(*map(tools_asked, clauses_of(text)))


@pytest.mark.parametrize(("text", "tool"), [(text, tool) for _, text, tool in SENTENCES if tool[0] != "-"])
def test_command_or_wish_requests_tool(text: str, tool: str) -> None:
    assert tool in asked(text)


@pytest.mark.parametrize(("text", "tool"), [(text, tool[1:]) for _, text, tool in SENTENCES if tool[0] == "-"])
def test_question_or_statement_or_refusal_or_quotation_requests_no_tool(text: str, tool: str) -> None:
    assert tool not in asked(text)


def test_pronoun_in_request_refers_to_earlier_words() -> None:
    assert "dance" in asked("Which dance does Mia like best? Do that one.")
    assert "dance" not in asked("Which song does Mia like best? Do that one.")


def test_every_predefined_tool_with_side_effects_has_a_pattern() -> None:
    free = {"stop", "get_robot_state", "detect_objects", "describe_image", "analyze_scene", "wait"}
    acting = {tool.name for tool in predefined_descriptions()} - free
    assert {tool for tool in acting if not has_pattern(tool)} == set()


def test_words_of_tool_name_request_tool_that_has_no_pattern() -> None:
    generated = ToolDescription("switch_lamp", "", {"type": "object"}, 1.0, origin=ToolOrigin.GENERATED)
    assert names(generated, "please switch on the lamp")
    assert not names(generated, "what is a lamp")
    external = replace(generated, origin=ToolOrigin.EXTERNAL)
    assert names(external, "please switch on the lamp")
    assert not names(replace(external, name="my-lamp_rm"), "please clean my lamp")
