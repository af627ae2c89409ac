"""Synthetic recordings of sentences that people say to a small robot."""

from __future__ import annotations

import numpy as np
import onnxruntime

from evaluation.speech.clip import Clip
from reachy_agent_ros.audio.resampler import Resampler
from reachy_agent_ros.audio.samples import Samples
from reachy_agent_ros.tts.voice import Piper

COMMANDS = (
    "Look left.",
    "Look to the right, please.",
    "Reachy, look up.",
    "Look down at the table.",
    "Turn your head a little to the left.",
    "Nod twice.",
    "Shake your head.",
    "Tilt your head to the right.",
    "Raise your left antenna.",
    "Set both antennas to thirty degrees.",
    "Wiggle your antennas.",
    "Turn around to the other side.",
    "Look straight ahead.",
    "Stop moving right now.",
    "Stop!",
    "Wait, that is not what I meant.",
    "Do a little dance for us.",
    "Play a happy emotion.",
    "Go to sleep.",
    "Wake up, Reachy.",
    "Follow my face.",
    "Stop following me.",
    "Look at the red apple.",
    "Where is the yellow duck?",
    "Come back to the middle.",
)

CHAT = (
    "Good morning, how are you today?",
    "What can you see on the table?",
    "Tell me a joke about robots.",
    "What is your name?",
    "Do you like living on a desk?",
    "I had a very long day at work.",
    "Can you help me with my homework?",
    "What did I ask you five minutes ago?",
    "My favorite color is green, what is yours?",
    "How many people are in this room?",
    "Thank you very much, that was perfect.",
    "No, I mean the other one.",
    "Please speak a bit more slowly.",
    "Is it going to rain tomorrow?",
    "See you later, my friend.",
)

SEED = 2026


def synthesized_clips() -> list[Clip]:
    """Returns a recording of every sentence, spoken by Piper. The recordings are the same in every run."""
    # Before the voice is loaded: its network draws the noise that makes each reading a little different.
    onnxruntime.set_seed(SEED)
    voice = Piper()
    return [Clip("piper", text, at_16_khz(voice.synthesize(text), voice.sample_rate)) for text in COMMANDS + CHAT]


def at_16_khz(samples: Samples, rate: int) -> Samples:
    """Converts mono audio from a sample rate in Hz to 16 kHz."""
    resampler = Resampler(rate, 1)
    return np.concatenate([resampler.process(samples), resampler.flush()])
