"""How long it takes from a click to the paint that answers it, measured in the page itself."""

from collections.abc import Sequence
from typing import Final

# From the moment of the click, as the browser noted it, to the end of the frame that shows the table after it.
PAINTED: Final = """() => {
    window.painted = [];
    let clicked = null;
    document.addEventListener("click", (event) => { clicked = event.timeStamp; }, true);
    new MutationObserver(() => {
        if (clicked === null) return;
        const since = clicked;
        clicked = null;
        requestAnimationFrame(() => {
            const channel = new MessageChannel();
            channel.port1.onmessage = () => window.painted.push(performance.now() - since);
            channel.port2.postMessage(0);
        });
    }).observe(document.body, { subtree: true, attributes: true, attributeFilter: ["data-number"] });
}"""


def percentile(values: Sequence[float], share: int) -> float:
    """The value that so many of a hundred do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, -(-share * len(ordered) // 100) - 1)]
