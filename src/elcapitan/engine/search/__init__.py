"""How computer players think, on the rules alone: worth of a position, ways to every city, plans of a turn, search."""
