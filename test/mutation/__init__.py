"""Mutation tests of the safety gate, the validator, the permissions and the registry."""
