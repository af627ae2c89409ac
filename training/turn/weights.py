"""Fits the weights of the end of turn to the pauses in recordings of people, and prints them.

Run from the repository: `python -m training.turn.weights FOLDER`. The weights belong to `stt/turn_end.py`. The folder
is as for `scripts/evaluate turns`. The figures are of each speaker with weights that were fitted to the others.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evaluation.speech.pauses import Pause, PauseFinder, all_pauses, turns_in
from evaluation.speech.turns import delays_and_cuts
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.nlu.turn.completeness import CompletenessClassifier
from reachy_agent_ros.stt.endpointer import Endpointing
from reachy_agent_ros.stt.smart_turn import SmartTurn
from reachy_agent_ros.stt.turn_end import UNDECIDED, TurnWeights, log_odds_of
from reachy_agent_ros.stt.voice_detectors import FRAME_SECONDS, Silero
from reachy_agent_ros.stt.whisper import Whisper

STEPS = np.arange(0.128, 1.6, 0.064)
"""Moments of a silence at which it may end the turn, s."""

SHORTEST = FRAME_SECONDS * Endpointing().shortest_silence
LONGEST = FRAME_SECONDS * Endpointing().longest_silence

PENALTY = 0.5
"""Penalty of squared weights, relative to one moment of a silence."""

ITERATIONS = 50


def main() -> None:
    """Prints the weights with and without the sound."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    pauses = all_pauses(PauseFinder(Silero(), Whisper(), SmartTurn()), turns_in(options.folder))
    completeness = CompletenessClassifier().probability
    ends = sum(pause.ends_turn for pause in pauses)
    print(f"{ends} ends and {len(pauses) - ends} pauses of {len({pause.speaker for pause in pauses})} speakers")
    for with_sound in (False, True):
        print(fitted(pauses, completeness, with_sound))
        name = "text and sound" if with_sound else "text"
        for figure in delays_and_cuts(name, pauses, left_out(pauses, completeness, with_sound)):
            print(f"  {figure.name}: {figure.value:.1f} {figure.unit}")


def left_out(pauses: Sequence[Pause], completeness: Callable[[str], float], with_sound: bool) -> list[float]:
    """Returns the silence (s) that ends the turn at each pause, with weights that were fitted to other speakers."""
    weights = {
        speaker: fitted([pause for pause in pauses if pause.speaker != speaker], completeness, with_sound)
        for speaker in {pause.speaker for pause in pauses}
    }
    found = []
    for pause in pauses:
        sound = pause.sound if with_sound else UNDECIDED
        needed = weights[pause.speaker].silence_needed(_complete(pause.text, completeness), sound)
        found.append(min(max(needed, SHORTEST), LONGEST))
    return found


def fitted(pauses: Sequence[Pause], completeness: Callable[[str], float], with_sound: bool) -> TurnWeights:
    """Returns the weights of a logistic regression, fitted by Newton's method.

    Each moment of a silence is a sample, until the speaker continues. Ends and pauses have the same total weight,
    because their ratio in recordings is not that in conversations.

    Args:
        pauses: Pauses and ends of turns.
        completeness: Function that returns the probability that a text is complete.
        with_sound: Whether to use the sound.
    """
    ends = sum(pause.ends_turn for pause in pauses)
    rows, labels, shares = [], [], []
    for pause in pauses:
        text = log_odds_of(_complete(pause.text, completeness))
        sound = log_odds_of(pause.sound) if with_sound else 0.0
        for silence in STEPS[pause.seconds >= STEPS]:
            rows.append((1.0, text, sound, silence))
            labels.append(float(pause.ends_turn))
            shares.append(1.0 / (ends if pause.ends_turn else len(pauses) - ends))
    weights = _logistic(np.array(rows), np.array(labels), np.array(shares) * len(shares) / sum(shares))
    return TurnWeights(*(round(float(weight), 2) for weight in weights))


def _complete(text: str, completeness: Callable[[str], float]) -> float:
    try:
        return completeness(text)
    except AgentError:  # the recognizer found no words
        return UNDECIDED


def _logistic(
    inputs: NDArray[np.float64], labels: NDArray[np.float64], shares: NDArray[np.float64]
) -> NDArray[np.float64]:
    penalty = np.array([1e-6, *[PENALTY] * (inputs.shape[1] - 1)])
    found = np.zeros(inputs.shape[1])
    for _ in range(ITERATIONS):
        chances = 1.0 / (1.0 + np.exp(-inputs @ found))
        slope = inputs.T @ (shares * (labels - chances)) - penalty * found
        curvature = (inputs * (shares * chances * (1.0 - chances))[:, None]).T @ inputs + np.diag(penalty)
        found = found + np.linalg.solve(curvature, slope)
    return found


if __name__ == "__main__":
    main()
