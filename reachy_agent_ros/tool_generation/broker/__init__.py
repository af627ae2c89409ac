"""Broker between a sandboxed tool and the outside: all requests that a tool may make."""
