"""Stores of the product under kills, power cuts and failing disks."""
