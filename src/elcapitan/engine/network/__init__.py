"""What the network needs of the engine: features of positions, its evaluation, games played side by side."""
