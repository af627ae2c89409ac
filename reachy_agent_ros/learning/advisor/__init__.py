"""Tool advisor: suggests a tool for a request and learns off-policy from logged and rated suggestions."""
