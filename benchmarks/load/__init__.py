"""A house full of people: live games with many viewers, processes killed in the middle, and hostile visitors."""
