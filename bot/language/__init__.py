"""Deterministic understanding of time, recurrence, money and short answers."""
