from reachy_agent_ros.learning.feedback.repetition import Repetition


def test_the_same_words_again_are_a_repetition_and_other_words_are_none() -> None:
    repetition = Repetition()
    assert repetition.strength("a", "look at the apple") == 0.0
    assert repetition.strength("a", "Look at the apple") == 1.0
    assert 0.5 < repetition.strength("a", "look at the apple now") < 1.0
    assert repetition.strength("a", "dance") == 0.0


def test_conversations_do_not_mix() -> None:
    repetition = Repetition()
    repetition.strength("a", "dance")
    assert repetition.strength("b", "dance") == 0.0
    assert repetition.strength("a", "dance") == 1.0


def test_silence_repeats_nothing() -> None:
    repetition = Repetition()
    assert repetition.strength("a", "") == repetition.strength("a", "") == 0.0
