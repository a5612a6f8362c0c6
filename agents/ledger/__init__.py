"""The ledger agent."""
