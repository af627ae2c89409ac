from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.tts.normalization import normalized
from reachy_agent_ros.tts.synthesis import split_clauses

FIGURES = (
    *("3", "3.5", "1,234", "-2", ".5", "1st", "10:30", "09:05", "16:9", "2026-11-21", "11/21/2026", "3/4", "24/7"),
    *(
        "$5.50",
        "€",
        "20 €",
        "$",
        "1 km",
        "5 km/h",
        "m/s²",
        "kg",
        "%",
        "°C",
        "II",
        "World War II",
        "ROS",
        "e.g.",
        "etc.",
    ),
    *(
        "Dr.",
        "a.m.",
        "No.",
        "#",
        "~",
        "<",
        "x²",
        "^3",
        "3e-5",
        "->",
        "\N{EN DASH}",
        "-",
        "*",
        "the '80s",
        "1990s",
        "Nov",
        "Jan.",
    ),
    *("x", "1", "/", ".", ",", ":", "(", ")", "k", "M", "million", "pm", "word", "Word"),
)
WRITTEN = st.lists(st.tuples(st.sampled_from(FIGURES), st.sampled_from(("", " ")))).map(
    lambda tokens: "".join(token + gap for token, gap in tokens)
)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("I saved it as /home/ada/photos/photo-1.jpg.", "I saved it as a file."),
        ('They are in "~/photos/new".', 'They are in "a folder".'),
        ("see https://ros.org/a/b, and/or me", "see https://ros.org/a/b, and or me"),
        ("3 cm, 1 km, 5cm", "3 centimeters, 1 kilometer, 5 centimeters"),
        ("at 5 km/h or 9.81 m/s²", "at 5 kilometers per hour or 9.81 meters per second squared"),
        ("2 kg/m³ on 5 m²", "2 kilograms per cubic meter on 5 square meters"),
        ("given in rad/s", "given in radians per second"),
        ("$5, $5.50, $0.99, £3.01", "5 dollars, 5 dollars and 50 cents, 99 cents, 3 pounds and 1 penny"),
        ("$1.5 million, 20 €, $1", "1.5 million dollars, 20 euros, 1 dollar"),
        ("09:05, 7:00 pm, 12:00", "9 oh 5, 7 PM, 12 o'clock"),
        ("at 14:00 or 00:00", "at 14 hundred hours or midnight"),
        ("a ratio of 16:9", "a ratio of 16 to 9"),
        ("2026-11-21", "November 21st, 2026"),
        ("11/03/2026 and 21.11.2026", "November 3rd, 2026 and November 21st, 2026"),
        ("21 Nov. 2026", "21 November 2026"),
        ("the 1990s and the '80s", "the 19 nineties and the eighties"),
        ("3/4 or 1/2 or 7/20", "3 quarters or 1 half or 7 over 20"),
        ("10\N{EN DASH}20 cm, 10-20", "10 to 20 centimeters, 10 to 20"),
        ("call 555-1234", "call 555-1234"),
        ("e.g. this, i.e. that", "for example this, that is that"),
        ("ducks etc. are here, etc.", "ducks et cetera are here, et cetera."),
        ("At 7 a.m. Dr. No left.", "At 7 AM. Doctor No left."),
        ("No. 5, #5, ~5, <5, fig. 2", "number 5, number 5, about 5, less than 5, figure 2"),
        ("World War II", "World War 2"),
        ("ROS 2 reads a URDF", "Ross 2 reads a U R D F"),
        ("5 - 3, 5 * 3, 3 x 4", "5 minus 3, 5 times 3, 3 by 4"),
        ("x², y^3, 2^10, 3e-5", "x squared, y cubed, 2 to the 10, 3 times 10 to the minus 5"),
    ],
)
def test_text_that_espeak_misreads_is_written_out(written: str, said: str) -> None:
    assert normalized(written) == said


@pytest.mark.parametrize(
    "text",
    ["50 %", "20 °C", "-3.5", "1,234,567", "21st", "0.05", "v1.2.3", "192.168.0.1", "NASA", "the IMU", "a@b.org", "½"],
)
def test_text_that_espeak_reads_well_is_unchanged(text: str) -> None:
    assert normalized(text) == text


@pytest.mark.slow
@given(st.one_of(st.text(), WRITTEN))
def test_text_normalization_is_idempotent(text: str) -> None:
    assert normalized(normalized(text)) == normalized(text)


@pytest.mark.slow
@given(WRITTEN, WRITTEN)
def test_text_normalization_keeps_words(before: str, after: str) -> None:
    assert "word" in normalized(f"{before} word {after}")


def test_abbreviation_does_not_end_clause() -> None:
    assert split_clauses(normalized("I saw Dr. No and, e.g., Mr. Bean.")) == [
        "I saw Doctor No and,",
        "for example,",
        "Mister Bean.",
    ]


@pytest.mark.parametrize(
    "nasty", ["1", "1,", "1.", "1/", "1-", "1:", "$", "5 m", "5 m/", "a.", "^2", "- ", "1 - ", "II "]
)
def test_text_of_10000_digits_is_normalized(nasty: str) -> None:
    assert normalized(f"word {nasty * (10_000 // len(nasty))} word").startswith("word")
