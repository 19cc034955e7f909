"""A game with its log: every action checked, undo, replay, and views without secrets."""
