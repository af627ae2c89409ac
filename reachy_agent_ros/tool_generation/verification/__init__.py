"""Verification of a tool in several stages, which result in a proof."""
