"""Programs for working on the repository; the docstring of each describes its purpose."""
