"""Moving whole stores: from one kind to another, into a backup and back."""
