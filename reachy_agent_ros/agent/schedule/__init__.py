"""Timers, alarms and reminders, which survive restarts."""
