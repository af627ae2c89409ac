"""The node that detects objects and faces and answers questions about the scene."""
