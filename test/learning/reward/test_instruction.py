from pathlib import Path

import pytest

from reachy_agent_ros.learning.feedback.recorder import is_judgment
from reachy_agent_ros.learning.reward.instruction import is_instruction
from reachy_agent_ros.learning.reward.reward_model import RewardModel, development_labels


@pytest.mark.parametrize(
    "text",
    [
        "faster",
        "louder please",
        "Reachy, speak louder",
        "don't look left",
        "do not turn to the window",
        "blick nach rechts",
        "turn to the left",
        "look up",
        "can you look a little to the left",
        "slower, and then to the left",
        "once more",
        "kannst du lauter sprechen?",
        "where did you look?",
        "nice to meet you",
        "good morning",
        "thank you",
        "Thanks a lot!",
        "ok, thank you, Reachy",
        "danke",
        "merci",
    ],
)
def test_instruction_for_next_action_is_recognized(text: str) -> None:
    assert is_instruction(text)


@pytest.mark.parametrize(
    "text",
    [
        "too fast",
        "a bit faster",
        "that was too loud",
        "don't turn so fast",
        "no, further left",
        "you looked too far up",
        "zu schnell",
        "well done",
        "more to the left",
        "could you speak up a little",
        "thank you, that was great",
        "thanks, well done",
        "perfect, thanks",
        "danke, das war toll",
        "gut gemacht",
        "muy bien",
        "",
    ],
)
def test_feedback_on_last_action_is_not_an_instruction(text: str) -> None:
    assert not is_instruction(text)


def test_feedback_in_development_set_is_rarely_recognized_as_instruction() -> None:
    opinions = [label.text for label in development_labels() if label.rating]
    assert sum(map(is_instruction, opinions)) <= 0.02 * len(opinions)


def test_few_sentences_without_feedback_are_used_for_learning(model: RewardModel) -> None:
    """The sentences were not used to develop the rules."""
    lines = Path(__file__).with_name("conversation_sentences.tsv").read_text(encoding="utf-8").splitlines()[1:]
    rows = [line.split("\t") for line in lines]
    learned = {text: is_judgment(model.score(text), False) and not is_instruction(text) for _, text in rows}
    wrong = [text for kind, text in rows if kind == "0" and learned[text]]
    missed = [text for kind, text in rows if kind == "1" and not learned[text]]
    assert len(wrong) <= 0.05 * sum(kind == "0" for kind, _ in rows), wrong
    assert len(missed) <= 0.2 * sum(kind == "1" for kind, _ in rows), missed
