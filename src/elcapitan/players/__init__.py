"""Who plays a seat: levels, external programs and their protocol, and hints."""
