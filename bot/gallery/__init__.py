"""The gallery of messages."""
