"""Tests: each name says what must hold."""
