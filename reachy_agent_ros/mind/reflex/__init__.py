"""Obeys commands in milliseconds, without any model: rules and slots that are either certain or silent."""
