"""Who the robot can be: manner, voice and tools, a folder each."""
