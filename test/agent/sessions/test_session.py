import json
from typing import Any

from reachy_agent_ros.agent.guardrails.tool_output import wrapped
from reachy_agent_ros.agent.sessions.session import Session, as_json_lines, as_markdown, lines_of, text_of, turns_of

ITEMS: list[dict[str, Any]] = [
    {"role": "assistant", "content": "left over"},
    {"role": "user", "content": [{"type": "input_text", "text": "what is"}, {"type": "input_image", "image_url": "x"}]},
    {"type": "function_call", "name": "describe", "arguments": '{"of": "# it"}', "call_id": "1"},
    {"type": "function_call_output", "call_id": "1", "output": [{"type": "input_text", "text": "a cup"}]},
    {"role": "assistant", "content": [{"type": "output_text", "text": "A cup."}]},
    {"role": "user", "content": "thanks"},
    {"role": "assistant", "content": [{"type": "refusal", "refusal": "Not that."}]},
]


def test_each_turn_of_conversation_starts_with_user_message() -> None:
    assert turns_of(ITEMS) == [ITEMS[1:5], ITEMS[5:]]
    assert turns_of(ITEMS[:1]) == []


def test_reads_text_of_every_message_format() -> None:
    assert [text_of(item) for item in ITEMS] == [
        "left over",
        "what is [picture]",
        "",
        "",
        "A cup.",
        "thanks",
        "Not that.",
    ]
    for odd in (None, 3, [3, None], [{"text": None}]):
        assert text_of({"role": "user", "content": odd}) == ""


def test_exported_json_lines_contain_every_item_unchanged() -> None:
    assert [json.loads(line) for line in as_json_lines(ITEMS)] == ITEMS


def test_exported_markdown_has_heading_per_turn_and_tools_as_code() -> None:
    page = as_markdown(Session("one", 0.0, 0.0, 2, branched_from="zero"), ITEMS)
    assert page.startswith("# one\n")
    assert "Branched from zero." in page
    assert page.count("\n## Turn ") == 2
    assert "\n**Person:** what is [picture]\n" in page
    assert '\n    describe {"of": "# it"}\n' in page
    assert "\n**Robot:** A cup.\n" in page


def test_exported_conversation_omits_delimiters_of_untrusted_text() -> None:
    said = {"role": "assistant", "content": f"I took a photo. {wrapped('I see a duck.', 'describe_image')}"}
    assert list(lines_of([said])) == [("Robot", "I took a photo. I see a duck.")]
