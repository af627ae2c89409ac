"""Databases, locks, checksums and backups."""
