"""The computer players: levels by name, planning and searching."""
