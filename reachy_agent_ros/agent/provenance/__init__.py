"""Where text in a model's context comes from, and what that means for the calls that follow it."""
