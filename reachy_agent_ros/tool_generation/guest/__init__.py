"""Code that runs in the sandbox together with the tool.

It needs only the standard library and numpy. The host also uses the module `wire`.
"""
