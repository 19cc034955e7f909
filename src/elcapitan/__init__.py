"""El Capitán, the complete digital edition: rules engine, text forms, records and command line."""
