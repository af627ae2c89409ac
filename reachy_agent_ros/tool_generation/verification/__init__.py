"""Verification of a tool: the stages from a source to a proof."""
