"""The travel agent."""
