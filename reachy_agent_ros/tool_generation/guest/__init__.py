"""What runs in the box beside the tool, with the standard library and numpy. The host imports `wire` alone."""
