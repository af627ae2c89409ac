"""What the agent remembers of people, tasks, notes and documents, in one file that can be searched and emptied."""
