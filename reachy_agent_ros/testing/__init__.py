"""What tests, and evaluations, of a robot's mind need: a model that says what was written for it, and scenarios."""
