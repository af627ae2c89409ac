"""Small talk in turns of a conversation, with and without a language model."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from reachy_agent_ros.agent.sessions.session_store import DEFAULT_SESSION
from reachy_agent_ros.agent.small_talk_replies import FORGETS_ONE, NOT_KNOWN
from reachy_agent_ros.core.embedding import SentenceEmbedder
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.testing.scripted_endpoint import ScriptedAnswer, ScriptedEndpoint
from reachy_agent_ros.tools.protocol.tools import ToolOutcome
from support.agent.world import MindInWorld, until


def replies(mind: MindInWorld, *texts: str) -> Sequence[str]:
    async def talk() -> list[str]:
        return [(await mind.say(text)).reply for text in texts]

    return asyncio.run(talk())


def test_answers_small_talk_without_model(tmp_path: Path) -> None:
    mind = MindInWorld(tmp_path)
    result = asyncio.run(mind.say("Hello Reachy, who are you?"))
    assert result.error is None
    assert result.agent == "reflex"
    assert result.reply.startswith("Hello! I am Reachy")


def test_repeated_small_talk_gets_different_reply(tmp_path: Path) -> None:
    first, second = replies(MindInWorld(tmp_path), "thank you", "thank you")
    assert first != second


def test_agent_answers_questions_about_time_and_date(tmp_path: Path) -> None:
    time, date = replies(MindInWorld(tmp_path), "what time is it?", "what day is it?")
    assert time.startswith("It is ")
    assert date.startswith("Today is ")


def test_lists_abilities_and_feelings_from_catalogue(tmp_path: Path) -> None:
    helped, feelings, dances = replies(MindInWorld(tmp_path), "help", "what feelings can you show", "list your dances")
    assert "turn my head" in helped
    assert feelings == 'I know joy and sadness. Say "show me", and one of them.'
    assert dances == "I do not know any dances at the moment."


def test_agent_remembers_and_recalls_fact(tmp_path: Path) -> None:
    mind = MindInWorld(tmp_path, embedder=SentenceEmbedder)

    async def talk() -> list[str]:
        await mind.mind.begin()
        texts = ("remember that my dog is called Bella", "what is my dog called")
        told = [(await mind.say(text)).reply for text in texts]
        await mind.mind.close()
        return told

    assert asyncio.run(talk()) == [
        "All right, I will remember that your dog is called Bella.",
        "You told me: your dog is called Bella.",
    ]


def test_answers_question_about_own_thing_from_memory(tmp_path: Path) -> None:
    mind = MindInWorld(tmp_path, embedder=SentenceEmbedder)

    async def talk() -> list[str]:
        await mind.mind.begin()
        texts = ("remember that my mug is red", "what color is my mug?", "what color is my hat?")
        texts += ("remember that my keys are on the shelf", "where are my keys?")
        texts += ("Do you know where I put my keys?", "where did I put my keys")
        told = [(await mind.say(text)).reply for text in texts]
        await mind.mind.close()
        return told

    _, mug, hat, _, *keys = asyncio.run(talk())
    assert mug == "You told me: your mug is red."
    assert hat == "I cannot answer questions about what I see yet."  # there is no tool to look at the hat
    assert keys == ["You told me: your keys are on the shelf."] * 3


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("don't look at me", "All right, I will not do that."),
        ("never nod", "All right, I will not do that."),
        ("asdf qwer", "I did not understand that."),
        ("what did you just do?", "I did not complete any action just now."),
        ("why is the sky blue", "I need a language model for that."),
    ],
)
def test_replies_without_model_if_sentence_is_not_command(tmp_path: Path, text: str, reply: str) -> None:
    mind = MindInWorld(tmp_path, embedder=SentenceEmbedder)
    assert replies(mind, text)[0].startswith(reply)
    assert mind.world.called == []


def test_forgets_fact_after_approval(tmp_path: Path) -> None:
    mind = MindInWorld(tmp_path, embedder=SentenceEmbedder)

    async def talk() -> list[str]:
        await mind.mind.begin()
        told = [(await mind.say(text)).reply for text in ("my name is Ada", "forget my birthday")]
        forgetting = asyncio.create_task(mind.say("forget my name"))
        await until(lambda: bool(mind.pending))
        mind.decide(True)
        told.append((await forgetting).reply)
        told += [(await mind.say(text)).reply for text in ("what is my name", "forget everything")]
        await mind.mind.close()
        return told

    assert asyncio.run(talk())[1:] == [
        "You have not told me that, so I have nothing to forget.",
        'May I permanently forget "name"? Please say yes or no. All right, I have forgotten your name.',
        "I do not know that yet. Tell me, and I will remember it.",
        FORGETS_ONE,
    ]


def test_reports_that_memory_is_not_available(tmp_path: Path) -> None:
    assert replies(MindInWorld(tmp_path), "remember that I like tea") == ["My memory is not available at the moment."]


def test_request_to_do_it_again_repeats_last_command(tmp_path: Path) -> None:
    mind = MindInWorld(tmp_path)
    before, _, _, again = replies(mind, "again", "look left", "thanks", "do it again")
    assert before == "There is nothing that I could repeat."
    assert again == "I looked to the left."
    assert mind.world.called == ["move_head", "move_head"]


def test_request_to_surprise_user_shows_emotion(tmp_path: Path) -> None:
    mind = MindInWorld(tmp_path)
    assert replies(mind, "surprise me")[0].startswith("I showed ")
    assert mind.world.called == ["express_emotion"]


def test_reports_failed_expression(tmp_path: Path) -> None:
    mind = MindInWorld(tmp_path)
    mind.world.outcomes["express_emotion"] = ToolOutcome("{}", AgentError(ErrorCode.TIMEOUT, "It took too long."))
    assert "took too long" in replies(mind, "surprise me")[0]


@pytest.mark.parametrize("text", ["what can you do?", "thank you", "hello"])
def test_recognized_small_talk_does_not_use_model(tmp_path: Path, text: str) -> None:
    with ScriptedEndpoint([ScriptedAnswer("From the model.")]) as server:
        result = asyncio.run(MindInWorld(tmp_path, server).say(text))
        assert "model" not in result.reply
        assert not server.chats


@pytest.mark.parametrize("text", ["who are you?", "tell me a joke", "remember that I like tea"])
def test_model_answers_unrecognized_small_talk(tmp_path: Path, text: str) -> None:
    with ScriptedEndpoint([ScriptedAnswer("From the model.")]) as server:
        assert asyncio.run(MindInWorld(tmp_path, server).say(text)).reply.strip() == "From the model."


def test_model_uses_persona_for_greeting(tmp_path: Path) -> None:
    with ScriptedEndpoint([ScriptedAnswer("Ahoy!")]) as server:
        mind = MindInWorld(tmp_path, server)

        async def talk() -> str:
            await mind.mind.become("performer")
            return (await mind.say("hello")).reply.strip()

        assert asyncio.run(talk()) == "Ahoy!"


def test_model_request_contains_earlier_small_talk(tmp_path: Path) -> None:
    mind = MindInWorld(tmp_path)
    (reply,) = replies(mind, "hello")
    kept = asyncio.run(mind.sessions.history(DEFAULT_SESSION))
    assert [item.get("content") for item in kept] == ["hello", reply]


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("Folge dem Ball", "I cannot follow things yet."),
        ("suis la balle", "I cannot follow things yet."),
        ("follow the ball and nod", "I cannot follow things yet."),
    ],
)
def test_reports_that_requested_tool_does_not_exist_yet(tmp_path: Path, text: str, reply: str) -> None:
    mind = MindInWorld(tmp_path)

    async def talk() -> str:
        await mind.mind.begin()
        result = await mind.say(text)
        await mind.mind.close()
        return result.reply

    assert asyncio.run(talk()) == reply


def test_remembers_and_recalls_fact_in_another_language(tmp_path: Path) -> None:
    mind = MindInWorld(tmp_path, embedder=SentenceEmbedder)

    async def talk() -> list[str]:
        await mind.mind.begin()
        texts = ("merk dir, dass mein Hund Bella heißt", "was weißt du über meinen Hund")
        told = [(await mind.say(text)).reply for text in texts]
        await mind.mind.close()
        return told

    assert asyncio.run(talk()) == [
        "Gut, ich merke mir: „mein Hund Bella heißt“.",
        "Du hast mir gesagt: „mein Hund Bella heißt“.",
    ]


@pytest.mark.parametrize(
    ("told", "asked", "replies"),
    [
        (
            "Hi, I'm Anna",
            "what is my name?",
            [NOT_KNOWN, "Nice to meet you, Anna. I will remember your name.", "Your name is Anna."],
        ),
        (
            "Ich heiße Anna",
            "Wie heiße ich?",
            [
                "Das weiß ich noch nicht. Sag es mir, dann merke ich es mir.",
                "Freut mich, Anna. Ich merke mir deinen Namen.",
                "Du heißt Anna.",
            ],
        ),
    ],
)
def test_greets_person_by_name_and_keeps_it(tmp_path: Path, told: str, asked: str, replies: list[str]) -> None:
    mind = MindInWorld(tmp_path, embedder=SentenceEmbedder)

    async def talk() -> list[str]:
        await mind.mind.begin()
        answers = [(await mind.say(text)).reply for text in (asked, told, asked)]
        await mind.mind.close()
        return answers

    assert [answer.removeprefix("Hello! ") for answer in asyncio.run(talk())] == replies


def test_sentence_waits_until_intent_recognizer_has_started(tmp_path: Path) -> None:
    mind = MindInWorld(tmp_path, embedder=SentenceEmbedder)

    async def talk() -> list[bool]:
        begins = asyncio.create_task(mind.mind.begin())
        await asyncio.sleep(0.0)  # lets it begin
        begun = []
        for text in ("hello", "look right", "kopf nach links"):
            await mind.say(text)
            begun.append(begins.done())
        await mind.mind.close()
        return begun

    assert asyncio.run(talk()) == [False, False, True]
    assert mind.world.called == ["move_head", "move_head"]


def test_reports_last_action_on_request(tmp_path: Path) -> None:
    mind = MindInWorld(tmp_path)
    assert replies(mind, "look left and show joy", "what did you just do?")[1] == "I looked to the left and showed joy."


def test_question_about_pose_does_not_hide_last_action(tmp_path: Path) -> None:
    mind = MindInWorld(tmp_path)
    posture = {
        "activity": "idle",
        "head": dict.fromkeys(("roll_deg", "pitch_deg", "yaw_deg"), 0.0),
        "body_yaw_deg": 0.0,
    }
    mind.world.outcomes["get_robot_state"] = ToolOutcome(json.dumps(posture))
    told = replies(mind, "look left", "where are you looking?", "what did you just do?")
    assert told[2] == "I looked to the left."


@pytest.mark.parametrize("question", ["why did you do that?", "Why did you look left?", "and why did you just turn"])
def test_names_command_as_reason_for_last_action(tmp_path: Path, question: str) -> None:
    told = replies(MindInWorld(tmp_path), "please look left", question)
    assert told[1] == 'I looked to the left, because you said "please look left".'


def test_failed_action_is_not_reported_as_last_action(tmp_path: Path) -> None:
    mind = MindInWorld(tmp_path)
    mind.world.outcomes["move_head"] = ToolOutcome("{}", AgentError(ErrorCode.TIMEOUT, "It took too long."))
    assert replies(mind, "look left", "what did you just do?")[1] == "I did not complete any action just now."


def test_uses_configured_name_of_robot(tmp_path: Path) -> None:
    mind = MindInWorld(tmp_path, values=(("robot_name", "Marvin"), ("owner", "Ada")))
    assert "Marvin" in replies(mind, "what is your name?")[0]
