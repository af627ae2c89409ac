"""Object detection, faces, and looking at what was detected."""
