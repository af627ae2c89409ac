"""Learning from people: feedback, rewards, corrections, demonstrations and training."""
