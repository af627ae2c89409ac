"""Spoken commands: time until the head moves, and share of wrong actions that start before the end of the command.

Run `scripts/evaluate commands` with nothing else running. It takes 15 minutes in real time. Commands are played to a
complete graph that listens to everything, once with early commitment and once without. Commands, talk and recordings of
people are also played only to the recognition. Recordings of people are fetched once (apt-get and pip, 40 MB).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bench.first_motion import FirstMotion
from bench.report import Figure, percentile, print_report
from bench.running_graph import running_graph
from evaluation.speech.clip import Clip
from evaluation.speech.early_starts import EarlyStarts
from evaluation.speech.heard_turns import HeardTurns
from evaluation.speech.recorded_speech import human_clips
from evaluation.speech.spoken_commands import synthesized_clips

HEAD = ("Look left.", "Look to the right, please.", "Reachy, look up.", "Nod twice.", "Shake your head.")
"""Commands that move the head, which recognizer and reflex understand from this voice."""

REPETITIONS = 6


def main(as_json: bool) -> int:
    """Measures with two new graphs. Always returns exit code 0."""
    said = synthesized_clips()
    commands = [clip for clip in said if clip.text in HEAD]
    figures = [
        *motions(commands, "with early commitment", "true", (300.0, 450.0)),
        *motions(commands, "without", "false", (450.0, None)),
        *starts([*said, *human_clips()]),
    ]
    print_report("commands", figures, as_json)
    return 0


def motions(commands: Sequence[Clip], name: str, early: str, bars: tuple[float, float | None]) -> Iterator[Figure]:
    """Measures the time from the true end of each command to the first measured motion, starting from rest."""
    times = []
    with running_graph("attention:=always", f"early_commitment:={early}") as (client, _):
        person, head = HeardTurns(client), FirstMotion(client)
        person.say(commands[-1])  # prevents breathing, because a breathing robot is never at rest
        for clip in [*commands] * REPETITIONS:
            person.await_reply()
            head.await_rest()
            ended = person.say(clip)
            times.append(1e3 * (head.stamp() - ended))
    yield Figure(f"{name}: end of speech to first motion, p50 of {len(times)}", percentile(times, 50), "ms", bars[0])
    yield Figure(f"{name}: end of speech to first motion, p95", percentile(times, 95), "ms", bars[1])


def starts(clips: Sequence[Clip]) -> Iterator[Figure]:
    """Measures how many utterances start an action before their end, and how many of these actions are wrong."""
    ears = EarlyStarts()
    begun = [ears.begun(clip) for clip in clips]
    early = [one for one in begun if one is not None]
    yield Figure(f"utterances that begin early, of {len(clips)}", len(early), "")
    yield Figure("wrong starts, of all utterances", 100.0 * (len(early) - sum(early)) / len(clips), "%", 2.0)
