"""The vocabulary of the product: standard library and pydantic only."""
