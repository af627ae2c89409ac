import asyncio
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.conversation.turn_request import TurnRequest, TurnResult
from reachy_agent_ros.agent.conversation.turn_tools import REFLEX
from reachy_agent_ros.agent.memory.entry import EntryKind, checked
from reachy_agent_ros.agent.memory.episodes import Deed, EpisodeKeeper, episode_of
from reachy_agent_ros.agent.memory.memory import Memory
from reachy_agent_ros.agent.memory.recollection import LONGEST_EPISODE, Recollection
from reachy_agent_ros.core.embedding import SentenceEmbedder

REQUEST = TurnRequest("please look for the duck on my desk")


def test_episode_contains_request_actions_and_reply() -> None:
    deeds = [Deed("move_head"), Deed("analyze_scene", "CAMERA_UNAVAILABLE"), Deed("move_head")]
    episode = episode_of("Is my cup on the desk?", deeds, "I cannot see now.\nSorry.", "home")
    assert episode is not None
    assert episode.text == (
        'Asked: "Is my cup on the desk?" '
        "Did: move head (2 times), analyze scene (failed: camera unavailable). "
        'Answered: "I cannot see now. Sorry."'
    )
    assert (episode.kind, episode.source) == (EntryKind.EPISODE, "conversation home")


def test_stored_episode_can_be_recalled(memory: Memory) -> None:
    episode = episode_of("Which stamps did Maria bring yesterday?", [Deed("recall")], "Three from Iceland.")
    assert episode is not None
    (stored,) = memory.remember(episode)
    assert memory.recall("What did I ask about Maria's collection?")[0].entry == stored


@pytest.mark.parametrize(
    ("request_text", "deeds", "by_reflex"),
    [
        ("look left", [Deed("move_head")], True),
        ("please turn your whole body a bit to the right", [Deed("rotate_body")], True),
        ("thank you very much", [], False),
        ("hello", [], False),
        ("  ", [Deed("recall")], False),
        ("forget what I said about Bruno", [Deed("recall"), Deed("forget")], False),
        ("throw the note on tea away", [Deed("forget_note")], False),
    ],
)
def test_no_episode_is_stored_for_unimportant_turn_or_for_deletion(
    request_text: str, deeds: list[Deed], by_reflex: bool
) -> None:
    assert episode_of(request_text, deeds, "Fine.", by_reflex=by_reflex) is None


@pytest.mark.parametrize(
    ("request_text", "deeds", "by_reflex"),
    [
        ("look left", [Deed("move_head", "UNREACHABLE")], True),
        ("tell me of Iceland and its birds", [], False),
        ("my dog?", [Deed("recall")], False),
        ("forget Bruno", [Deed("forget", "APPROVAL_DENIED")], False),
    ],
)
def test_episode_is_stored_for_failure_or_question_or_task(
    request_text: str, deeds: list[Deed], by_reflex: bool
) -> None:
    assert episode_of(request_text, deeds, "Fine.", by_reflex=by_reflex) is not None


def test_episode_contains_no_personal_data() -> None:
    episode = episode_of("Write to ann@example.org about the tea", [Deed("write_note")], "Call 0171 2345678.")
    assert episode is not None
    assert "ann@" not in episode.text
    assert "0171" not in episode.text


def test_episode_redacts_personal_data_before_truncation() -> None:
    episode = episode_of(
        "Write to " + " ".join(f"{'a' * 60}{number}@example.org" for number in range(300)), [], "Done."
    )
    assert episode is not None
    assert "@" not in episode.text
    assert "aaa" not in episode.text


@pytest.mark.slow
@given(st.text(max_size=2000), st.lists(st.text(max_size=40).map(Deed), max_size=20), st.text(max_size=2000))
def test_any_turn_can_be_stored_and_displayed_as_episode(request_text: str, deeds: list[Deed], reply: str) -> None:
    episode = episode_of(request_text, deeds, reply)
    if episode is not None:
        assert checked(episode).text
        assert len(episode.text) <= LONGEST_EPISODE + 40 * len(deeds)


def test_closing_waits_until_episode_is_stored(tmp_path: Path) -> None:
    recollection = Recollection(tmp_path / "memory.db", tmp_path / "notes", SentenceEmbedder)
    recollection.open()

    async def live() -> None:
        keeper = EpisodeKeeper(recollection)
        keeper.keep(REQUEST, TurnResult(reply="It is there.", agent="robot"), [("find_object", "")], "")
        await keeper.close()
        assert "look for the duck" in recollection.prompt("", "").text
        keeper.keep(TurnRequest("look left"), TurnResult(reply="I looked left.", agent=REFLEX), [("move_head", "")], "")
        await keeper.close()
        assert "look left" not in recollection.prompt("", "").text

    asyncio.run(live())
    recollection.close()


def test_no_episode_is_stored_without_memory() -> None:
    async def live() -> None:
        keeper = EpisodeKeeper(None)
        keeper.keep(REQUEST, TurnResult(), [], "")
        assert asyncio.all_tasks() == {asyncio.current_task()}
        await keeper.close()

    asyncio.run(live())
