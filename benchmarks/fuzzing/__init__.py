"""Fuzzed requests to every operation of the server: for `make test`, and by the million for `benchmarks.load`."""
