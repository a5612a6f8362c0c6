"""Instructions to the language model, one file each."""
