"""Sentences in the language of the reader: catalogues, names, actions, narration and rulebook."""
