import pytest

from reachy_agent_ros.vision.seen_things import answer_about, sentence_about

THINGS = [("duck", "in the middle"), ("apple", "on the left"), ("apple", "on the left"), ("person", "")]


def test_sentence_counts_objects_in_same_direction() -> None:
    assert sentence_about(THINGS) == "I see a duck in the middle, two apples on the left and a person."


def test_sentence_names_at_most_five_objects() -> None:
    assert sentence_about([(f"thing {index}", "") for index in range(9)]).endswith("a thing 4 and more.")


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What do you see?", "I see a duck in the middle and two apples on the left."),
        ("tell me what you can see here", "I see a duck in the middle and two apples on the left."),
        ("How many apples are there?", "I see two apples."),
        ("how many ducks do you see", "I see one duck."),
        ("is there a duck", "I see a duck."),
        ("Is there anybody in the room?", "I do not see anybody."),
        ("are there any people", "I do not see anybody."),
        ("Are there any cats?", "I do not recognize that. I see a duck in the middle and two apples on the left."),
        ("What color is my shirt?", "I cannot tell. I see a duck in the middle and two apples on the left."),
    ],
)
def test_question_about_scene_is_answered_from_detections(question: str, answer: str) -> None:
    assert answer_about(question, THINGS[:3]) == answer


def test_answer_without_detections_says_that_nothing_is_recognized() -> None:
    assert answer_about("what do you see", []) == "I do not see anything that I recognize."


@pytest.mark.parametrize("question", ["is there a person in front of you", "how many people do you see"])
def test_question_about_people_is_answered_with_their_number(question: str) -> None:
    assert answer_about(question, THINGS) == "I see a person."
    assert answer_about(question, [*THINGS, ("person", "on the right")]) == "I see two people."
