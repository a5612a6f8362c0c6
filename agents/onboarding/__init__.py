"""The onboarding agent."""
