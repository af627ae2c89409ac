"""Model Context Protocol in both directions: tools of other servers for our agents, and our tools for other agents."""
