"""Fuzz targets: loaders, validators and clients."""
