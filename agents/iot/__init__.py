"""The iot agent."""
