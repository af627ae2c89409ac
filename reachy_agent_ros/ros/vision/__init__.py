"""Node `vision`: detection of objects and faces, and questions about the scene."""
