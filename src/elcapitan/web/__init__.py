"""The pages in the browser and the JSON API."""
