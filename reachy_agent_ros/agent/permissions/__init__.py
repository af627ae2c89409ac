"""What the robot may do by itself, what it asks a person for, and the record of every decision."""
