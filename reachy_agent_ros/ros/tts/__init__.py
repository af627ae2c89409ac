"""Node `tts`: text to speech."""
