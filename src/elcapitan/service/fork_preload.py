"""Preloads what workers need into the process that they are forked from, where the system can fork.

Importing this module does it. That process does nothing else and has no threads of ours, so forking it is safe.
"""

from elcapitan.engine import warm_up
from elcapitan.service import bot_worker  # noqa: F401  what workers do is loaded too

warm_up.load()
