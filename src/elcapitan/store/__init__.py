"""Where games are kept. It knows nothing of the game: logs are numbered entries, positions are bytes."""

from elcapitan.store.location import usual_database

__all__ = ["usual_database"]
