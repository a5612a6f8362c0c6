"""What the store on MongoDB does without a server."""
