"""Speech recognition: voice detection, endpointing, barge-in and transcription."""
