"""Mutation testing of the gate, the validator, the permissions and the registry."""
