"""Node `stt`: speech to text."""
