"""Talk by a language model, shared by the agents that have a tool loop."""
