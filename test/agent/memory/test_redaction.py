import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.memory.redaction import redacted

PERSONAL = {
    "Write to jo.anna+x@mail.example.org please": "Write to [email] please",
    "call +49 (0)30 1234 5678 tonight": "call [phone] tonight",
    "call 020 7946 0958": "call [phone]",
    "call 555-123-4567.": "call [phone].",
    "card 4111 1111 1111 1111, thanks": "card [card], thanks",
    "card 4111111111111111": "card [card]",
    "IBAN DE89 3704 0044 0532 0130 00": "IBAN [iban]",
    "GB82WEST12345698765432 is mine": "[iban] is mine",
    "I live at 221B Baker Street now": "I live at [address] now",
    "Hauptstraße 5 in Berlin": "[address] in Berlin",
    "12 rue de Rivoli": "[address]",
    "Via Garibaldi 7, Torino": "[address], Torino",
}

HARMLESS = [
    "look 30 degrees to the left",
    "yaw -10.25, pitch 3.5",
    "on 2026-11-22 at 01:13:21.123456",
    "took 1234567 steps",
    "id 6f1c2b7e-9b1d-4c1a-8f00-1a2b3c4d5e6f",
    "version 1.20.300",
    "3.14159265358979",
    "DE11 3704 0044 0532 0130 00",
    "the way to the place",
    "nodded 2 times on the way",
    "12 place settings, during 5 minutes",
    "error 502 after 2500 ms",
]


@pytest.mark.parametrize("text", PERSONAL)
def test_redaction_replaces_personal_data(text: str) -> None:
    assert redacted(text) == PERSONAL[text]


@pytest.mark.parametrize("text", HARMLESS)
def test_redaction_keeps_harmless_text(text: str) -> None:
    assert redacted(text) == text


pieces = st.one_of(
    st.text(max_size=20),
    st.text("0123456789 -+()./@:aeDE", max_size=40),
    st.sampled_from([*PERSONAL, *HARMLESS, "[email]", "straße", " street"]),
)


@given(st.lists(pieces, max_size=8).map("".join))
def test_redaction_is_idempotent_and_at_most_doubles_length(text: str) -> None:
    once = redacted(text)
    assert redacted(once) == once
    assert len(once) <= 2 * len(text)


@pytest.mark.parametrize("part", ["1", "1 ", "a@", "a.", "x ", "DE12", "12 a ", "(", "rue "])
def test_redaction_covers_end_of_long_text(part: str) -> None:
    assert len(redacted(part * 20_000)) <= 2 * len(part) * 20_000
