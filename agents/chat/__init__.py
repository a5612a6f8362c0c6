"""The chat agent."""
