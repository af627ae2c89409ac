"""Learning from feedback, demonstrations and rewards."""
