"""Conversation, models, memory, permissions and plans. Nothing here depends on ROS or on the robot."""
