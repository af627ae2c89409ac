"""Tool advisor: suggests a tool for a request, learned off-policy from logged and rated choices."""
