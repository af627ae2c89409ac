"""Detection of stop commands and urgent stops."""
