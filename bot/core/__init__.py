"""The vocabulary of the product: standard library and pydantic only.

One module, one noun: its values and the port that keeps them.
"""
