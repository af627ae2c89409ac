"""The agents, what they are told and the tools they are given."""
