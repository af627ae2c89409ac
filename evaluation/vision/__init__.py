"""Evaluation of object detection, face detection and gaze."""
