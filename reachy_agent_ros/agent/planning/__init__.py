"""Plans: tasks in several steps whose results are compared with the model's expectations."""
