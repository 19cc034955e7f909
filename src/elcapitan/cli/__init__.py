"""The command `elcapitan`: its commands, their options, and the game in the terminal."""
