"""Learning from people, by feedback, rewards, corrections, demonstrations and training."""
