import contextlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.permissions.policy_file import TEMPLATES, load_policy, read_policy, template
from reachy_agent_ros.agent.permissions.tier import Tier
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tools.protocol.tools import Origin, ToolDescription
from support.agent.permission_cases import DANCE, ERASE, MOVE_HEAD, TOOLS, WAVE

MINE = """
extends: standard
rules:
  - tools: move_head
    when: {duration_s: {above: 0, below: 0.5}}
    tier: confirm
    because: it is fast
  - tools: [dance, gesture]
    tier: notify
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "permissions.yaml"
    path.write_text(text)
    return path


def test_the_rules_of_a_person_stand_before_the_template(tmp_path: Path) -> None:
    policy = read_policy(write(tmp_path, MINE))
    assert policy.rule_for(MOVE_HEAD, {"duration_s": 0.2}).because == "it is fast"
    assert policy.rule_for(MOVE_HEAD, {"duration_s": 0.0}).tier is Tier.AUTONOMOUS
    assert policy.rule_for(DANCE, {}).tier is Tier.NOTIFY
    assert policy.rule_for(WAVE, {}).tier is Tier.CONFIRM


def test_without_a_file_the_standard_template_applies(tmp_path: Path) -> None:
    assert load_policy(tmp_path / "none.yaml") == template("standard")


@pytest.mark.parametrize("name", TEMPLATES)
def test_no_template_lets_a_generated_tool_run_unasked(name: str) -> None:
    assert template(name).rule_for(WAVE, {}).tier >= Tier.CONFIRM


def test_the_templates_are_ordered_by_strictness() -> None:
    external = ToolDescription("search", "", {"type": "object"}, 1.0, origin=Origin.EXTERNAL)
    photo = ToolDescription("take_photo", "", {"type": "object"}, 1.0)
    for tool in (*TOOLS, external, photo):
        tiers = [template(name).rule_for(tool, {"duration_s": 0.0}).tier for name in TEMPLATES]
        assert tiers == sorted(tiers, reverse=True)
    assert template("careful").rule_for(ERASE, {}).tier is Tier.CONFIRM


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "the file"),
        ("[1]", "the file"),
        ("default: confirm\nextra: 1", "extra"),
        ("default: maybe", "default"),
        ("default: notify\nextends: careful", "either"),
        ("extends: bold", "extends"),
        ("default: notify\ndefault: confirm", "twice"),
        ("default: notify\nrules: [{tools: dance, tier: 2}]", "rules 1 tier"),
        ("default: notify\nrules: [{tools: [], tier: notify}]", "rules 1 tools"),
        ("default: notify\nrules: [{tools: 'da nce', tier: notify}]", "rules 1 tools"),
        ("default: notify\nrules: [{tools: 'dance?', tier: notify}]", "rules 1 tools"),
        ("default: notify\nrules: [{tools: dance, tier: notify, origin: made}]", "rules 1 origin"),
        ("default: notify\nrules: [{tools: dance, tier: notify, when: {n: {below: '5'}}}]", "rules 1 when n below"),
        ("default: notify\nrules: [{tools: dance, tier: notify, when: {n: {above: 5, below: 5}}}]", "no value"),
        ("default: notify\nrules: [{tools: dance, tier: notify, when: {n: {below: .nan}}}]", "below"),
        ("default: notify\nrules: [{tools: dance}]", "rules 1 tier"),
        ("default: notify\nrules:\n - {tools: '*', tier: notify}\n - {tools: dance, tier: confirm}", "never reached"),
        ("default: !!python/object/apply:os.system [exit]", "not applied"),
        ("default: [", "not applied"),
        ("[" * 5000, "not applied"),
        ("default: notify\n? [a, b]\n: 1", "not applied"),
        ("default: notify\n#" + "x" * 1_000_000, "more than 1000000 bytes"),
    ],
)
def test_a_file_with_a_mistake_is_refused_as_a_whole(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(AgentError) as error:
        read_policy(write(tmp_path, text))
    assert error.value.code is ErrorCode.INVALID_ARGUMENTS
    assert complaint in error.value.message


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    for path in (tmp_path / "binary", tmp_path):
        with pytest.raises(AgentError, match="not applied"):
            load_policy(path)


@given(st.text("default:notifyrules -{}[]&*!?\n#'\"", max_size=60))
def test_whatever_stands_in_a_file_is_a_policy_or_one_error(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    path = write(tmp_path_factory.getbasetemp(), text)
    with contextlib.suppress(AgentError):
        assert read_policy(path).default in Tier


def test_the_file_that_the_documentation_shows_is_valid(tmp_path: Path) -> None:
    page = Path(__file__).parents[3] / "docs" / "permissions.md"
    shown = page.read_text(encoding="utf-8").split("```yaml\n")[1].split("```")[0]
    assert read_policy(write(tmp_path, shown)).rule_for(WAVE, {}).tier is Tier.FORBIDDEN
