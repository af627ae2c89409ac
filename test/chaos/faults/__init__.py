"""The faults of the campaign, one file each."""
