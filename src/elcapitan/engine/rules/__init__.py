"""The rules, one module per chapter. `may_x` answers, the bare verb acts and trusts that its caller has asked.

The first argument is always the state `s`, the second the board `b` where a printed figure is needed. Ids in square
brackets are those of the rules document.
"""

from typing import Final

RULES_VERSION: Final = "1"  # stored in every record; a change of behaviour changes it
