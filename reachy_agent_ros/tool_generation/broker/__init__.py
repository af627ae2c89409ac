"""Broker that handles all requests of a sandboxed tool to the robot and the network."""
