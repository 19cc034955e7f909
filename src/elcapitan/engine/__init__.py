"""The rules and the search as compiled functions over flat records."""
