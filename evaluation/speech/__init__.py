"""Speech recognition, voice activity, interruptions, and commands spoken in noise."""
