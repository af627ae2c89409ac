"""What `reachy-agent demo` shows."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Step:
    """One thing that happens.

    Attributes:
        told: What a person is told before it.
        command: What does it: a command of `reachy-agent`, in which {sounds} and {out} stand for folders.
        meanwhile: s after which the next step comes while this one goes on; None: when it has ended.
    """

    told: str
    command: tuple[str, ...]
    meanwhile: float | None = None


@dataclass(frozen=True)
class Scenario:
    """One demonstration.

    Attributes:
        name: What a person writes.
        about: What it shows, in words.
        steps: In their order.
    """

    name: str
    about: str
    steps: tuple[Step, ...]


SCENARIOS = (
    Scenario(
        "look",
        "a spoken sentence moves the robot, and it answers aloud",
        (
            Step(
                'Somebody says: "Reachy, look left and tell me what you see."',
                ("hear", "{sounds}/look_left.wav", "--out", "{out}/reply.wav"),
            ),
        ),
    ),
    Scenario(
        "feelings",
        "it shows what it is asked to feel",
        (
            Step("Somebody wants to see joy.", ("ask", "show me joy")),
            Step("And now fear.", ("ask", "show me fear")),
        ),
    ),
    Scenario(
        "stop",
        "one spoken word stops it in the middle of a dance",
        (
            Step("It is asked for a dance.", ("ask", "dance interwoven spirals"), meanwhile=3.0),
            Step('Somebody says: "Stop."', ("hear", "{sounds}/stop.wav")),
        ),
    ),
    Scenario(
        "correction",
        "what is said of it changes what it does the next time",
        (
            Step("It nods.", ("ask", "nod")),
            Step('Somebody says: "too big".', ("feedback", "too big")),
            Step("What it made of that:", ("policies", "show", "make_gesture")),
            Step("The same word, and a smaller nod.", ("ask", "nod")),
        ),
    ),
)
"""The first one is what newcomers see."""
