"""Body motion: planning and playback of moves, and transitions between them."""
