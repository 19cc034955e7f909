"""The pages, one module for each and its addresses."""
