"""The account agent."""
