"""The schedule agent."""
