"""Plans, which divide a task into steps and compare each result with the model's expectation."""
