"""What a model is told by this agent."""
