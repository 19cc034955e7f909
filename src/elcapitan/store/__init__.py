"""Where games are kept. It knows nothing of the game: logs are numbered entries, positions are bytes."""
