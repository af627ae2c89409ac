"""Programs for working on the repository. The docstring of each program describes its purpose."""
