"""The table on which a payday is told: everything as it was just before, so that nothing is ahead of the telling."""

from dataclasses import replace

from elcapitan.service import Table
from elcapitan.web.view.merchants import MerchantView
from elcapitan.web.view.payday import PaydayView, payday_view
from elcapitan.web.view.table_view import TableView, table_view
from elcapitan.web.viewer import Viewer


def staged_payday(table: Table, viewer: Viewer, number: int, base: str | None = None) -> TableView | None:
    """Return the table as it was when a payday began, with the payday; None if it has not been held."""
    held = payday_view(table, viewer, number)
    if held is None:
        return None
    seen = table_view(table, viewer, held.event, base=base)
    merchants = [_before(each, held) for each in seen.merchants]
    return replace(seen, merchants=merchants, replay=None, payday=held)


def _before(merchant: MerchantView, held: PaydayView) -> MerchantView:
    """Return a merchant when a payday began; a loan that was its last action counts, a forecast would tell too much."""
    seat = merchant.seat
    cash, debt = held.before.purses[seat], held.debts[seat]
    return replace(merchant, cash=cash, debt=debt, earnings=None, deciding=False, thinking=False, next=False)
