"""The web chat over a real server."""
