"""Speech synthesis: text normalization, voices, playback, and head motion during speech."""
