"""An agent that runs elsewhere."""
