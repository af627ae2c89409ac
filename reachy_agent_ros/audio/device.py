"""Sound devices, which may be missing, appear late or be pulled out."""

from __future__ import annotations

from typing import Any

from reachy_agent_ros.core.errors import AgentError, ErrorCode


def sound_devices() -> Any:
    """The `sounddevice` module with a fresh list of devices.

    It is imported here and not above: without PortAudio its import fails, and then all but the devices must work.

    Raises:
        AgentError: `AUDIO_UNAVAILABLE`: PortAudio is missing.
    """
    try:
        import sounddevice
    except OSError as error:
        raise AgentError(
            ErrorCode.AUDIO_UNAVAILABLE, "PortAudio is not installed (package libportaudio2 on Debian and Ubuntu)."
        ) from error
    # PortAudio lists devices once, when it starts; only a new start finds what was plugged in since.
    sounddevice._terminate()
    sounddevice._initialize()
    return sounddevice


def device_error(devices: Any, error: Exception, kind: str, name: str) -> AgentError:
    """The error of a device that could not be opened or failed: `kind` is microphone or speaker."""
    known = ", ".join(str(device["name"]) for device in devices.query_devices()) or "none"
    wanted = repr(name) if name else "the default one"
    return AgentError(ErrorCode.AUDIO_UNAVAILABLE, f"No {kind} ({wanted}): {error} Devices: {known}.")
