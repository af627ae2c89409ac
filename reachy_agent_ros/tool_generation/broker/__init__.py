"""Broker between a sandboxed tool and the outside, which handles all requests that a tool may make."""
