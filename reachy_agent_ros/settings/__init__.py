"""Settings: arguments of the graph and parameters of its nodes, and the file that a person keeps them in."""
