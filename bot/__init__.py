"""The hub: receives events, routes them, runs agents, delivers replies."""
