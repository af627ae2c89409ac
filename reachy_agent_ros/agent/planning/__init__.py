"""Plans: tasks of several steps, whose results are compared with what the model expected."""
