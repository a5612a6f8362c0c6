"""The data agent."""
