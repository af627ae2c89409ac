"""Code that runs with the tool in the sandbox and needs only the standard library and numpy. The host uses `wire`."""
