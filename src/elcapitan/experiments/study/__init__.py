"""What strong play tells about the figures of the board."""
