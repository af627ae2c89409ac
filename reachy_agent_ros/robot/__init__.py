"""Robot backends, their common protocol, kinematics and the safety gate."""
