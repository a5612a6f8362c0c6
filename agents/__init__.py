"""The agents: each answers one intent and returns a value."""
