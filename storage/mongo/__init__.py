"""The store on MongoDB: one deciding document per write, the rest follows from it."""
