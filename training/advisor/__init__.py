"""Preparation of the tool advisor."""
