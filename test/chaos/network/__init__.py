"""Network faults: access from other machines, lost packets, and late clients."""
