"""The faults of the campaign, one a file."""
