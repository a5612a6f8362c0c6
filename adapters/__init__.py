"""Everything that talks to the outside."""
