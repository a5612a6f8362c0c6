"""The page: no build step, no framework, no outside resource."""
