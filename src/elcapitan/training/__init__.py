"""Training of the champion's network by self-play; see docs/levels.md."""
