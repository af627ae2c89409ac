import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.nlu.answer import LONGEST_GRANT, Appraisal, YesNoAnswer, read_answer, verdict
from reachy_agent_ros.nlu.answer_phrases import answer_phrases, asks_for_repetition, spoken
from reachy_agent_ros.nlu.templates.languages import language_codes

YES = """yes|Yes.|Yeah, go ahead!|OK|okay then|sure|Sure thing.|go ahead|please do|do it|Yes, do it, please.|of course
you may|You can do that.|that's fine|It's okay.|by all means|I approve|alright|All right, go on.|sounds good|Yes, yes.
Well, yes.|Reachy, yes|yes please|Approved.|Permission granted.|just this once|only once"""

NO = """no|No.|nope|No, thanks.|no thank you|not now|Not now, Reachy.|don't|Don't do it!|do not|please don't|no, don't
stop|Stop it.|never|Never mind.|forget it|cancel that|better not|I'd rather not|of course not|Absolutely not.
you may not|You can't.|I don't want that|No, no, no!|no way|Not yet, please.|no, never|nah|No, you may not."""

UNCLEAR = """maybe|I think so|hm|what?|Yes?|which one|yes, but slowly|Yes, but|no wait yes|yes no|why not|not sure
I'm not sure|sure, why should I say no|don't stop|no problem|fine|right|yes and then dance|can you say yes|wait
he said yes|she says no to everything|turn left|yesterday|know|I know|for ten minutes|go|it is ok if you ask him
yes for ten minutes or an hour|yes for the next|yes for zero minutes|yes for a hundred hours|yes, not|||
do not not do it|ask me later|later|Yes, for ten minutes, always|no, go ahead|okay no|not no|please|thanks|hey robot
you can not do it unless I say so|I do not say no|in this session|yes for ever|yes for minus five minutes"""


@pytest.mark.parametrize("text", YES.replace("\n", "|").split("|"))
def test_yes_approves_only_current_call(text: str) -> None:
    assert read_answer(text) == YesNoAnswer(True)


@pytest.mark.parametrize("text", NO.replace("\n", "|").split("|"))
def test_no_rejects_call(text: str) -> None:
    assert read_answer(text) == YesNoAnswer(False)


@pytest.mark.parametrize("text", UNCLEAR.replace("\n", "|").split("|"))
def test_unclear_text_is_not_read_as_answer(text: str) -> None:
    assert read_answer(text) is None


@pytest.mark.parametrize(
    "text",
    ["Ja, klar!", "Oui, d'accord.", "Sí, por supuesto", "si", "Sì, va bene", "Sim, pode", "Ja, nur dieses Mal, bitte"],
)
def test_yes_in_other_languages_approves_call(text: str) -> None:
    assert read_answer(text) == YesNoAnswer(True)


@pytest.mark.parametrize(
    "text",
    ["Nein, danke.", "Non, surtout pas !", "No, ahora no", "No, lascia stare", "Não, obrigado", "nao"],
)
def test_no_in_other_languages_denies_call(text: str) -> None:
    assert read_answer(text) == YesNoAnswer(False)


@pytest.mark.parametrize("text", ["ja, nein", "ja, aber langsam", "oui mais pas trop vite", "si quieres"])
def test_unclear_text_in_other_languages_is_not_answer(text: str) -> None:
    assert read_answer(text) is None


def test_phrase_has_same_meaning_in_all_languages() -> None:
    kinds = ("approve", "refuse", "filler", "once", "contradictory", "again")
    meanings: dict[tuple[str, ...], set[str]] = {}
    for phrases in answer_phrases():
        for kind in kinds:
            for phrase in getattr(phrases, kind):
                meanings.setdefault(spoken(phrase), set()).add(kind)
    assert [phrase for phrase, found in meanings.items() if len(found) > 1] == []


def test_every_language_has_answers() -> None:
    assert len(answer_phrases()) == len(language_codes())


@pytest.mark.parametrize(
    "text",
    ["nochmal", "Noch einmal, bitte!", "Encore, s'il te plaît", "otra vez", "Reachy, di nuovo", "de novo"],
)
def test_request_for_repetition_in_other_languages(text: str) -> None:
    assert asks_for_repetition(text)


@pytest.mark.parametrize("text", ["", "bitte", "nochmal nach links", "ancora a sinistra", "danke", "!"])
def test_other_text_is_not_request_for_repetition(text: str) -> None:
    assert not asks_for_repetition(text)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("yes, for the next ten minutes", YesNoAnswer(True, seconds=600.0)),
        ("Go ahead, for five minutes.", YesNoAnswer(True, seconds=300.0)),
        ("yes for half an hour", YesNoAnswer(True, seconds=1800.0)),
        ("sure, for an hour", YesNoAnswer(True, seconds=3600.0)),
        ("Okay, for the next hour", YesNoAnswer(True, seconds=3600.0)),
        ("yes for another 90 seconds please", YesNoAnswer(True, seconds=90.0)),
        ("yes, for 1.5 hours", YesNoAnswer(True, seconds=5400.0)),
        ("always in this session", YesNoAnswer(True, whole_session=True)),
        ("Yes, always.", YesNoAnswer(True, whole_session=True)),
        ("yes, in this session", YesNoAnswer(True, whole_session=True)),
        ("yes, for the rest of this conversation", YesNoAnswer(True, whole_session=True)),
        ("yes, just this once", YesNoAnswer(True)),
        ("no, not for the next ten minutes", None),
        ("no, for ten minutes", YesNoAnswer(False)),
        ("no, never in this session", YesNoAnswer(False)),
        ("no, just this once", None),
    ],
)
def test_reads_scope_of_approval(text: str, answer: YesNoAnswer | None) -> None:
    assert read_answer(text) == answer


WORDS = [
    "yes",
    "no",
    "not",
    "never",
    "do",
    "it",
    "don't",
    "stop",
    "go",
    "ahead",
    "please",
    "always",
    "for",
    "the",
    "next",
    "ten",
    "minutes",
    "in",
    "this",
    "session",
    "you",
    "may",
    "can",
    "okay",
    "once",
    "just",
    "an",
    "hour",
    "sure",
    "of",
    "course",
    "cancel",
    "?",
    ",",
    ".",
    "fine",
    "nope",
]

NEGATIONS = {"no", "not", "never", "don't", "stop", "cancel", "nope", "?"}


@given(st.lists(st.sampled_from(WORDS), max_size=9))
def test_sentence_with_negation_never_approves(words: list[str]) -> None:
    answer = read_answer(" ".join(words))
    if answer is not None and answer.approve:
        assert not NEGATIONS & set(words)


@given(
    st.sampled_from(
        ["yes", "no", "go ahead", "not now", "yes for ten minutes", "yes for half an hour", "yes for the next hour"]
    ),
    st.sampled_from(["left", "if", "but"]),
)
def test_answer_with_unknown_word_is_unclear(answer: str, word: str) -> None:
    assert read_answer(f"{answer} {word}") is None
    assert read_answer(f"{word} {answer}") is None


@given(st.floats(0.1, 1e6, allow_nan=False), st.sampled_from(["seconds", "minutes", "hours"]))
def test_approval_duration_never_exceeds_limit(number: float, unit: str) -> None:
    answer = read_answer(f"yes, for {number:.1f} {unit}")
    assert answer is None or 0.0 < answer.seconds <= LONGEST_GRANT


@given(st.text(max_size=80))
def test_answer_parser_accepts_any_text(text: str) -> None:
    answer = read_answer(text)
    assert answer is None or 0.0 <= answer.seconds <= LONGEST_GRANT


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("yes, for the next hour please", 3600.0),
        ("yes for half a minute", 30.0),
        ("yes, for half an hour, please", 1800.0),
        ("yes, for the next minute", 60.0),
        ("yes for a second", 1.0),
        ("yes, for 24 hours", 86400.0),
        ("yes, for the next 2 minutes, please", 120.0),
    ],
)
def test_reads_approval_duration(text: str, seconds: float) -> None:
    assert read_answer(text) == YesNoAnswer(True, seconds=seconds)


@pytest.mark.parametrize(
    "text",
    ["yes for 25 hours", "yes for", "yes for the", "yes for hour", "yes for the hour", "yes for 0 hours",
     "yes for many hours", "yes for 10 people", "yes for the next another ten minutes"],
)  # fmt: skip
def test_invalid_or_too_long_duration_is_unclear(text: str) -> None:
    assert read_answer(text) is None


@pytest.mark.parametrize("seconds", [-0.1, 24.0 * 3600.0 + 0.1, float("nan")])
def test_rejects_duration_longer_than_one_day(seconds: float) -> None:
    YesNoAnswer(True, seconds=0.0).check()
    YesNoAnswer(True, seconds=24.0 * 3600.0).check()
    with pytest.raises(AgentError, match="24 hours") as error:
        YesNoAnswer(True, seconds=seconds).check()
    assert error.value.code is ErrorCode.INVALID_ARGUMENTS


@pytest.mark.parametrize(
    "text",
    [
        "Well done!",
        "Perfect.",
        "good job",
        "Great!",
        "That was perfect",
        "that's right",
        "Reachy, well done",
        "I love it",
        "that was much better",
        "Perfect, do it like that in future.",
    ],
)
def test_recognizes_praise(text: str) -> None:
    assert verdict(text) is Appraisal.PRAISE


@pytest.mark.parametrize(
    "text",
    [
        "too far down",
        "That was too fast.",
        "a bit too loud",
        "not quite",
        "That's wrong",
        "too far to the left",
        "not high enough",
        "a bit further left",
        "more to the right, please",
        "A little bit slower",
        "slightly higher",
        "That was too fast, do it slower next time",
        "too far down; look higher from now on, please",
    ],
)
def test_recognizes_criticism(text: str) -> None:
    assert verdict(text) is Appraisal.CRITICISM


@pytest.mark.parametrize(
    "text",
    [
        "",
        "what time is it",
        "great, now look left",
        "is that right?",
        "tell me a good story",
        "look at the perfect apple",
        "that was too fast, look left",
        "do it slower next time",
    ],
)
def test_request_is_not_read_as_praise_or_criticism(text: str) -> None:
    assert verdict(text) is None
