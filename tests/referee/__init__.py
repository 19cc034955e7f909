"""A slow and plain referee for El Capitan, written from the rules alone.

It shares no code and no data with the engine it judges.
"""
