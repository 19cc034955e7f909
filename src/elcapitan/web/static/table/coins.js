// What moves on a payday: coins that fly to a purse, purses that count up, and rows of the ranking that change places.

import { find, findAll, reducedMotion } from "./page.js";
import { play } from "./sound.js";

const MOST_COINS = 9; // for one payment
const LANDING = { duration: 260, easing: "ease-out" };
const MOVING = { duration: 420, easing: "cubic-bezier(0.3, 0, 0.2, 1)" };
const RISE = 46; // pixels that a coin climbs before it falls

const written = (amount) => (amount < 0 ? `\u2212${-amount}` : String(amount));

let layer = null; // over the whole page, for what flies

const above = () => {
  if (!layer?.isConnected) {
    layer = document.createElement("div");
    layer.className = "coin-layer";
    layer.setAttribute("aria-hidden", "true");
    document.body.append(layer);
  }
  return layer;
};

/** Let everything that flies disappear; nothing that was to happen when it lands happens. */
export const stopCoins = () => layer?.replaceChildren();

/** Show what a seat has in its purse, and what that leaves after its debts, wherever the page shows it. */
export const showPurse = (seat, amount) => {
  for (const purse of findAll(`[data-purse-of="${seat}"]`)) purse.textContent = written(amount);
  for (const net of findAll(`[data-net-of="${seat}"]`)) {
    const worth = written(amount - Number(net.dataset.debt));
    net.textContent = `(${worth})`;
    net.ariaLabel = net.ariaLabel.replace(/\u2212?\d+/, worth);
  }
};

const isInSight = (element) => {
  if (!element?.checkVisibility({ visibilityProperty: true })) return false;
  const box = element.getBoundingClientRect();
  return box.width > 0 && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
};

const middleOf = (element) => {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
};

/** The first of some elements that can be seen. */
export const inSight = (...elements) => elements.find(isInSight);

/** Let coins fly from an element to a seat's purse, which counts up from an amount as they land. */
export const payOut = (from, seat, before, paid, duration) => {
  const purse = inSight(find(`#merchant-${seat} .purse`), find(`#standing-${seat} .sum`));
  if (!from || !purse || reducedMotion.matches) {
    showPurse(seat, before + paid);
    return;
  }
  const count = Math.min(paid, MOST_COINS);
  const flight = duration * 0.62;
  const gap = (duration - flight) / count;
  let landed = 0;
  for (let number = 0; number < count; number++) {
    fly(middleOf(from), middleOf(purse), { duration: flight, delay: number * gap }, number, () => {
      landed += 1;
      play("coin");
      showPurse(seat, before + Math.round((paid * landed) / count));
      purse.animate([{ transform: "scale(1.16)" }, { transform: "none" }], LANDING);
      if (landed === count) riseFrom(purse, `+${paid}`);
    });
  }
};

const at = ({ x, y }, scale) => `translate(${x}px, ${y}px) translate(-50%, -50%) scale(${scale})`;

const fly = (from, to, timing, number, land) => {
  const coin = document.createElement("i");
  coin.className = "flying-coin";
  above().append(coin);
  const bow = ((number % 3) - 1) * 14;
  const top = { x: from.x + (to.x - from.x) * 0.4 + bow, y: Math.min(from.y, to.y + RISE) - RISE };
  coin
    .animate(
      [
        { transform: at(from, 0.4), opacity: 0, easing: "ease-out" },
        { opacity: 1, offset: 0.12 },
        { transform: at(top, 1.15), opacity: 1, offset: 0.45, easing: "ease-in" },
        { transform: at(to, 0.75), opacity: 1 },
      ],
      { ...timing, fill: "both" },
    )
    .finished.then(
      () => {
        if (!coin.isConnected) return;
        coin.remove();
        land();
      },
      () => {},
    );
};

const riseFrom = (element, words) => {
  const { x, y } = middleOf(element);
  const gain = document.createElement("b");
  gain.className = "rising-gain";
  gain.textContent = words;
  above().append(gain);
  const risen = (height) => at({ x, y: y - height }, 1);
  gain
    .animate(
      [
        { transform: risen(6), opacity: 0 },
        { transform: risen(20), opacity: 1, offset: 0.3 },
        { transform: risen(34), opacity: 0 },
      ],
      { duration: 900, easing: "ease-out" },
    )
    .finished.then(
      () => gain.remove(),
      () => {},
    );
};

const numbersIn = (words) => words.trim().split(/\s+/).map(Number);

/** What each seat has at one point of a payday, as the server has written it at an element. */
export const amountsAt = (element) => {
  const { purses, worths, places, gains } = element.dataset;
  return { purses: numbersIn(purses), worths: numbersIn(worths), places: numbersIn(places), gains: numbersIn(gains) };
};

/** Show the ranking at one point of a payday; rows travel to their new places. */
export const showRanking = ({ worths, places, gains }) => {
  const list = find("#standing");
  const most = Number(list.dataset.most);
  const rows = findAll("li", list);
  const before = new Map(rows.map((row) => [row, row.getBoundingClientRect().top]));
  for (const row of rows) {
    const seat = Number(row.dataset.seat);
    find(".place", row).textContent = places[seat];
    find(".sum", row).textContent = written(worths[seat]);
    find(".gained", row).textContent = gains[seat] ? `+${gains[seat]}` : "";
    find(".fill", row).setAttribute("width", Math.max(0, (100 * worths[seat]) / most).toFixed(1));
  }
  const placeOf = (row) => places[Number(row.dataset.seat)];
  list.append(...rows.toSorted((one, other) => placeOf(one) - placeOf(other)));
  if (reducedMotion.matches) return;
  for (const row of rows) {
    const way = before.get(row) - row.getBoundingClientRect().top;
    if (way) row.animate([{ transform: `translateY(${way}px)` }, { transform: "none" }], MOVING);
  }
};
