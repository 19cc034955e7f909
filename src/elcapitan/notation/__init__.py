"""Positions as drawings, written and read."""
