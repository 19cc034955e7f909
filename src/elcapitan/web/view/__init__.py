"""What the templates of a table draw: values made by pure functions from a table and its viewer."""
