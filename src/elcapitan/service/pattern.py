"""The process of which workers are copies, where the system can make copies: what they need is loaded here, once.

Loading this module does it. The process does nothing else and has no threads of ours, so a copy of it is whole.
"""

from elcapitan.engine import warm_up
from elcapitan.service import worker

__all__ = ["worker"]

for _name, _call in warm_up.kernels():
    _call()
