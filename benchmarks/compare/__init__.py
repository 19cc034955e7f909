"""Two versions side by side: what each needs for the same work."""
