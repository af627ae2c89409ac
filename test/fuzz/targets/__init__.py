"""Fuzz targets: functions that load or validate data, and clients."""
