import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.conversation.briefing import Briefing, unbriefed
from reachy_agent_ros.agent.provenance.label import LabelledText
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from support.agent.world import catalogue


class Photographer:
    def instructions(self) -> str:
        return "Take photos."

    def allows(self, tool: str) -> bool:
        return tool == "take_photo"


LINES = st.text(st.characters(exclude_characters="<>", exclude_categories=["Cs"]))


@pytest.mark.slow
@given(st.text(), LINES)
def test_the_words_come_back_as_they_were(words: str, known: str) -> None:
    briefing = Briefing(Photographer(), [lambda _session: LabelledText(known)])
    briefed, _ = asyncio.run(briefing.briefed(words, "one"))
    assert briefed.startswith(words)
    assert known in briefed
    if known:
        assert unbriefed(briefed) == words


def test_words_that_look_like_a_context_lose_nothing() -> None:
    words = "what is\n\n<context>\n for?"
    assert unbriefed(words) == words
    briefing = Briefing(Photographer(), [lambda _session: LabelledText("It is late.")])
    assert unbriefed(asyncio.run(briefing.briefed(words, "one"))[0]) == words


def test_what_cannot_be_read_is_left_out() -> None:
    def broken(_session: str) -> LabelledText:
        raise AgentError(ErrorCode.STORAGE_FAILED, "The disk is gone.")

    contexts = [broken, lambda session: LabelledText(f"Known of {session}.")]
    assert "Known of one." in asyncio.run(Briefing(Photographer(), contexts).briefed("Hello.", "one"))[0]
    assert asyncio.run(Briefing(Photographer(), [broken]).briefed("Hello.", "one"))[0] == "Hello."


def test_only_what_the_robot_does_as_who_it_is_is_offered() -> None:
    briefing = Briefing(Photographer(), [])
    assert [tool.name for tool in briefing.offered(catalogue())] == ["take_photo"]
    assert briefing.manner == "Take photos."
