"""Tools that agents share."""
