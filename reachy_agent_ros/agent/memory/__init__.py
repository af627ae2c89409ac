"""Long-term memory of facts, tasks, notes and documents, in one searchable file."""
