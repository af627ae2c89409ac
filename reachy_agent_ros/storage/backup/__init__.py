"""What a person gave the robot in one file, and back."""
