"""The qa agent."""
