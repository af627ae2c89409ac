"""Evaluation of learned policies over many episodes, with a report."""
