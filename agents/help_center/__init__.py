"""The help_center agent."""
