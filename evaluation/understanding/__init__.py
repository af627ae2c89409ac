"""Evaluation of intents and feedback in sentences that were not used for tuning."""
