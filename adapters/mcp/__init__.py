"""Tools of other services, by the Model Context Protocol."""
