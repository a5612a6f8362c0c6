"""The ticket agent."""
