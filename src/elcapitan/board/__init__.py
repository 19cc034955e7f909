"""The figures printed on board and cards, read from a TOML file and checked."""
