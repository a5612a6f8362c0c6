"""The meeting agent."""
