"""Settings: arguments of the graph, parameters of its nodes, and the file in which people set them."""
