"""A private robot for rehearsals: the real physics, controller and safety gate on a clock of its own."""
