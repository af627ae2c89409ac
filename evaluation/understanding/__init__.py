"""Intents and feedback in sentences that were not used for tuning."""
