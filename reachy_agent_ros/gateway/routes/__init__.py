"""The paths of the API, one concern a file."""
