"""Code that runs inside the sandbox with the tool; needs only the standard library and numpy. The host uses `wire`."""
