"""The voice detectors there are, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from reachy_agent_ros.stt.silero import Silero
from reachy_agent_ros.stt.voice_detector import VoiceDetector
from reachy_agent_ros.stt.webrtc import WebRtc

VOICE_DETECTORS: Mapping[str, Callable[[], VoiceDetector]] = {"silero": Silero, "webrtc": WebRtc}
"""Silero is the default; docs/speech.md compares them near motors."""
