"""Environments for machine learning: fleets of games, Gymnasium, PettingZoo, OpenSpiel, data sets."""
