"""Actions as values, one class for each family, with their numbers, texts and JSON forms."""
