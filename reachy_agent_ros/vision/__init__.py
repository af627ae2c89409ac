"""Cameras, detectors, face tracking and vision models."""
