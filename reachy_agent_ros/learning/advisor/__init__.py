"""Tool advisor, which suggests a tool for a request. Learns off-policy from logged and rated suggestions."""
