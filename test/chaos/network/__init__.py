"""Network faults: access from other machines, lost packets, and nodes that join late."""
