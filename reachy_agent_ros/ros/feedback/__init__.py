"""The node that turns what people say about the robot's behavior into rewards."""
