"""The skills agent."""
