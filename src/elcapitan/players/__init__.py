"""Who plays a seat: levels, external programs and their protocol, Python players, and hints."""
