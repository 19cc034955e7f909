"""Servers under load: live games with many viewers, processes killed in the middle, and fuzzed requests."""
