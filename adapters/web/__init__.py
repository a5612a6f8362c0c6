"""The local web chat."""
