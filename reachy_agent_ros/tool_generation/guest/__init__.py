"""Code that runs in the sandbox with the tool and needs only the standard library and numpy. The host uses `wire`."""
