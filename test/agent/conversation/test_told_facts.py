"""Facts that people tell in conversations without a language model, and questions about them."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from reachy_agent_ros.agent.memory.entry import EntryKind, MemoryEntry
from reachy_agent_ros.core.embedding import SentenceEmbedder
from reachy_agent_ros.nlu.decision import Action
from reachy_agent_ros.nlu.learned import FILE_NAME, LearnedPhrases
from support.agent.world import MindInWorld, until


def replies(folder: Path, *texts: str, facts: Sequence[MemoryEntry] = ()) -> list[str]:
    """Returns the replies to texts. Approves every request."""
    mind = MindInWorld(folder, embedder=SentenceEmbedder)

    async def talk() -> list[str]:
        await mind.mind.begin()
        assert mind.mind.recollection is not None
        mind.mind.recollection.memory().remember(*facts)
        told = []
        for text in texts:
            turn = asyncio.create_task(mind.say(text))
            await until(lambda turn=turn: turn.done() or bool(mind.pending))  # type: ignore[misc]
            if mind.pending:
                mind.decide(True)
            told.append((await turn).reply)
        await mind.mind.close()
        return told

    return asyncio.run(talk())


def test_remembers_corrects_and_answers_in_other_words(tmp_path: Path) -> None:
    told = replies(
        tmp_path,
        "My dog is called Bella.",
        "She is three years old.",
        "No, my dog is called Stella.",
        "What's the dog's name?",
        "How old is Stella?",
        "What is my cat called?",
        "Do I like coffee?",
    )
    assert told == [
        "All right, I will remember that your dog is called Bella.",
        "All right, I will remember that your dog is three years old.",
        "All right, I will remember that your dog is called Stella.",
        "You told me: your dog is called Stella.",
        "You told me: your dog is three years old.",
        "I do not know that yet. Tell me, and I will remember it.",
        "I do not know that yet. Tell me, and I will remember it.",
    ]


def test_remembers_and_answers_in_language_of_person(tmp_path: Path) -> None:
    told = replies(tmp_path, "Ma sœur habite à Lyon.", "Où habite ma sœur ?", "Wo wohnt meine Schwester?")
    assert told == [
        "D'accord, je retiens : « Ma sœur habite à Lyon ».",
        "Tu m'as dit : « Ma sœur habite à Lyon ».",
        "Du hast mir gesagt: „Ma sœur habite à Lyon“.",
    ]


def test_answers_questions_about_everything_that_is_known(tmp_path: Path) -> None:
    told = replies(
        tmp_path,
        "My dog is called Bella.",
        "I like tea.",
        "What do you know about Bella?",
        "What do you know about me?",
    )
    assert told[2:] == ["You told me: your dog is called Bella.", "You told me: you like tea."]


def test_forgets_everything_about_pet_after_approval(tmp_path: Path) -> None:
    told = replies(
        tmp_path,
        "My dog is called Bella.",
        "Bella is three years old.",
        "Forget everything about Bella.",
        "How old is Bella?",
    )
    assert told[2].startswith('May I permanently forget everything about "Bella"?')
    assert "All right, I have forgotten everything about Bella." in told[2]
    assert told[3] == "I do not know that yet. Tell me, and I will remember it."
    memory = b"".join(file.read_bytes() for file in tmp_path.glob("memory.db*"))
    undo = b"".join(file.read_bytes() for file in tmp_path.glob("undo.sqlite3*"))
    assert b"bella" not in (memory + undo).lower()


def test_reports_that_nothing_is_known_about_name(tmp_path: Path) -> None:
    (told,) = replies(tmp_path, "Vergiss alles über Quirin.")
    assert told.endswith("Über Quirin weiß ich nichts, also gibt es nichts zu vergessen.")


def test_answers_with_words_that_rules_do_not_understand(tmp_path: Path) -> None:
    told = replies(
        tmp_path, "Remember that my dog likes to chase all the squirrels of the park", "What does my dog like?"
    )
    assert told[1] == "You told me: your dog likes to chase all the squirrels of the park."


def test_question_about_somebody_famous_is_left_to_model(tmp_path: Path) -> None:
    (told,) = replies(tmp_path, "Who is Ada Lovelace?")
    assert told.startswith("I need a language model for that.")


def test_undo_takes_correction_back(tmp_path: Path) -> None:
    told = replies(
        tmp_path, "My dog is called Bella.", "No, my dog is called Stella.", "undo that", "What is my dog called?"
    )
    assert told[3] == "You told me: your dog is called Bella."


def test_statement_from_elsewhere_is_labeled_in_answer(tmp_path: Path) -> None:
    fact = MemoryEntry(EntryKind.FACT, "My dog is called Bella.", "dog", origin="memory:web")
    (told,) = replies(tmp_path, "What is my dog called?", facts=[fact])
    assert told == "You did not tell me, but I read: your dog is called Bella."


@pytest.mark.parametrize(
    "text", ["My aunt says my uncle lives in Rome.", "If I lived in Rome, I would be happy.", "turn left"]
)
def test_stores_nothing_that_person_does_not_state(tmp_path: Path, text: str) -> None:
    told = replies(tmp_path, text, "Where does my uncle live?", "Where do I live?")
    assert told[1:] == ["I do not know that yet. Tell me, and I will remember it."] * 2


@pytest.mark.parametrize(
    ("asked", "order", "none", "some"),
    [
        ("What have you learned?", "Forget what you learned.", "I have not learned any phrases yet.", '"do the thing"'),
        (
            "Was hast du gelernt?",
            "Vergiss, was du gelernt hast.",
            "Ich habe noch keine Sätze gelernt.",
            '"do the thing"',
        ),
    ],
)
def test_tells_and_forgets_learned_phrases(tmp_path: Path, asked: str, order: str, none: str, some: str) -> None:
    learned = LearnedPhrases(tmp_path / FILE_NAME)
    learned.learn("do the thing", [Action("take_photo", {})])
    learned.close()
    listed, forgotten, empty = replies(tmp_path, asked, order, asked)
    assert some in listed
    assert forgotten.startswith("May I permanently forget the phrases that I have learned?")
    assert empty.startswith(none)
    assert b"do the thing" not in b"".join(file.read_bytes() for file in tmp_path.glob(f"{FILE_NAME}*"))
