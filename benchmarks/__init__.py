"""Measurements printed by `make bench`."""
