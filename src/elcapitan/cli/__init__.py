"""The command `elcapitan`: one module for each command, and the game in the terminal."""
