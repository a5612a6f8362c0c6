"""Pages of the public web, fetched safely."""
