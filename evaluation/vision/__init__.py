"""Object detection, face detection and gaze."""
