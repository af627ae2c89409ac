from reachy_agent_ros.nlu.vocabulary import vocabulary_of

SCHEMAS = {
    "express_emotion": {"properties": {"emotion": {"enum": ["joy", "refusal"]}}},
    "dance": {"properties": {"dance": {"const": "dizzy_spin"}}},
}


def test_emotion_synonym_maps_to_emotion_name() -> None:
    vocabulary = vocabulary_of(SCHEMAS)
    assert vocabulary.emotion("happy") == vocabulary.emotion("joy") == "joy"
    assert vocabulary.emotion("disapproval") == "refusal"


def test_unavailable_emotion_is_not_in_vocabulary() -> None:
    assert vocabulary_of(SCHEMAS).emotion("sad") is None
    assert vocabulary_of({}).dances == ()


def test_finds_dance_by_spoken_name() -> None:
    vocabulary = vocabulary_of(SCHEMAS)
    assert vocabulary.dance("dizzy spin") == vocabulary.dance("dizzy spin dance") == "dizzy_spin"
