"""Tests of time templates. They match phrases at a position of a sentence and combine their values."""

from collections.abc import Iterator, Sequence

import pytest

from reachy_agent_ros.nlu.times.templates import UNNAMED, Grammar, Match, TemplateError, combined, expand
from reachy_agent_ros.nlu.tokens import Token, split


def digit(tokens: Sequence[Token], start: int) -> Iterator[Match]:
    if tokens[start].text.isdigit():
        yield start + 1, {UNNAMED: int(tokens[start].text)}


def grammar(**rules: dict[str, dict[str, float | str]]) -> Grammar:
    return Grammar(rules, {"digit": digit}, {})


def words(template: str) -> list[str]:
    return [" ".join(element.name for element in elements) for elements in expand(template)]


def test_template_expands_options_and_alternatives() -> None:
    assert words("[at] (noon|midday) now") == ["at noon now", "at midday now", "noon now", "midday now"]


def test_template_expands_nested_brackets() -> None:
    assert words("a [b (c|d)]") == ["a b c", "a b d", "a"]


def test_template_is_tokenized_like_sentence() -> None:
    assert words("o'clock") == ["o' clock"]


@pytest.mark.parametrize("template", ["a (b", "a [b", "a b)", "a {b", "a <b", "a }", "[a]", ""])
def test_rejects_invalid_template(template: str) -> None:
    with pytest.raises(TemplateError):
        expand(template)


@pytest.mark.parametrize("template", ["at {hour}", "at <clock>"])
def test_rejects_unknown_name(template: str) -> None:
    with pytest.raises(TemplateError, match=r"refers to the unknown (slot|rule)"):
        grammar(rule={template: {}})


def test_template_finds_longest_match() -> None:
    found = grammar(rule={"at {digit}": {}, "at {digit} (am|pm)": {}}).search(split("at 7 pm please"))
    assert found.longest("rule", 0) == (3, {"digit": 7})


def test_template_returns_none_without_match() -> None:
    assert grammar(rule={"at {digit}": {}}).search(split("at noon")).longest("rule", 0) is None


def test_first_of_equal_templates_takes_precedence() -> None:
    found = grammar(rule={"now": {"days": 1}, "(now|then)": {"days": 2}}).search(split("now"))
    assert found.longest("rule", 0) == (1, {"days": 1})


def test_adds_values_of_nested_rules() -> None:
    rules = grammar(rule={"half past <hour>": {"minute": 30}}, hour={"{digit:hour}": {"minute": 1}})
    assert rules.search(split("half past 7")).longest("rule", 0) == (3, {"hour": 7, "minute": 31})


def test_left_recursive_rule_terminates() -> None:
    found = grammar(rule={"<rule> and {digit}": {}, "{digit}": {}}).search(split("1 and 2"))
    assert found.longest("rule", 0) == (1, {"digit": 1})


def test_combined_values_join_texts_of_same_name() -> None:
    assert combined({"day": "MO", "n": 1}, {"day": "TU", "n": 2}) == {"day": "MO,TU", "n": 3}
