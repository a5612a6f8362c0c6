"""What models are told by the hub itself."""
