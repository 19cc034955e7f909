"""Games as `.capitan` text and as JSON, and how their cards were shuffled."""
