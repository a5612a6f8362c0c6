"""The store on MongoDB where it is more than its contract."""
