"""Remote agents over HTTP: the JSON of seed 002, section 3, signed."""
