"""Interpreters and labels."""
