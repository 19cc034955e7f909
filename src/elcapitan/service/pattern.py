"""The process of which workers are copies, where the system can make copies: what they need is loaded here, once.

Loading this module does it. The process does nothing else and has no threads of ours, so a copy of it is whole.
"""

from elcapitan.engine import warm_up
from elcapitan.service import worker  # noqa: F401  what workers do is loaded too

warm_up.load()
