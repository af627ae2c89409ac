"""Settings: arguments of the graph, parameters of its nodes, and the settings file."""
