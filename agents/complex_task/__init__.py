"""The complex_task agent."""
