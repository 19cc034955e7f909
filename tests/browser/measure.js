// Measures a page: what leaves the screen, overlaps, is cut off, too small or hard to read. It looks at a part of a page
// after another: the table with each of its tabs, what opens over it, each kind of step of a payday, the waiting room.
// An expression whose value is an object of functions; those that measure return sentences, one for each fault.
(() => {
  const PARTS =
    ".city, .merchant, .display .card:not(.gap), .hand .card, .loan, .quay, .spaces li, .acts .act, .top .btn, .step, .when, .mine, .sentence, .tabs button, .stage-bar .btn, .final .btn";
  const BLOCKS = ".top, .board, .pan, .grp, .tabs";
  const TAPPED = "button, a.btn, a.act, select, input:not([type=hidden]), summary, [role=button]";
  const THUMB = 44;
  const FINGERTIP = 24; // for a site inside a city
  const ENOUGH = 4.5; // contrast of text
  const ENOUGH_IF_LARGE = 3; // and of signs
  const LARGE = 24; // pixels from which text is large
  const LARGE_IF_BOLD = 18.66;
  const BOLD = 700;
  const WORST = 0.2; // of the ground of a text, the part that is hardest to read on
  const SHARE = 2 / 3; // of its pane that the board covers
  const SLOW = 3000; // milliseconds until something that is fetched has opened

  const root = document.documentElement;
  let scope = document.getElementById("table") ? "#table" : "body"; // what is measured, as a selector
  const part = () => document.querySelector(scope);
  const all = (selector) => [...document.querySelectorAll(`${scope} ${selector.replaceAll(", ", `, ${scope} `)}`)];
  const name = (element) => {
    const words = (element.getAttribute("aria-label") ?? element.textContent).trim().replace(/\s+/g, " ").slice(0, 40);
    return `${element.id ? `#${element.id}` : element.tagName + "." + (element.className.baseVal ?? element.className)} “${words}”`;
  };
  // Parts of drawings that are not displayed count as visible for a browser, so their ancestors are asked too.
  const isDisplayed = (element) => {
    for (let each = element; each && each !== root; each = each.parentElement) {
      const style = getComputedStyle(each);
      if (style.display === "none" || style.clipPath === "inset(50%)") return false; // or there for screen readers only
      if (each.tagName === "DIV") return true;
    }
    return true;
  };
  // What opens over the page counts only while it is what is measured.
  const isApart = (element) => {
    const over = element.closest("[popover], dialog");
    return Boolean(over) && !over.contains(part());
  };
  const isShown = (element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    !element.closest(".sr, .skip, .sprite") &&
    !isApart(element) &&
    isDisplayed(element);
  const isClipped = (overflow) => overflow !== "visible";

  // What is left of a box inside all that cut it off; `scrolls` says whether one of them can be scrolled.
  const seenPart = (element, box = element.getBoundingClientRect()) => {
    const seen = { left: box.left, top: box.top, right: box.right, bottom: box.bottom, scrolls: false };
    for (let each = element.parentElement; each && each !== root; each = each.parentElement) {
      const style = getComputedStyle(each);
      if (!isClipped(style.overflowX) && !isClipped(style.overflowY)) continue;
      const cut = each.getBoundingClientRect();
      const before = [seen.left, seen.top, seen.right, seen.bottom].join();
      if (isClipped(style.overflowX)) {
        seen.left = Math.max(seen.left, cut.left);
        seen.right = Math.min(seen.right, cut.right);
      }
      if (isClipped(style.overflowY)) {
        seen.top = Math.max(seen.top, cut.top);
        seen.bottom = Math.min(seen.bottom, cut.bottom);
      }
      const scrolls = /auto|scroll/.test(style.overflowX + style.overflowY);
      if (scrolls && before !== [seen.left, seen.top, seen.right, seen.bottom].join()) seen.scrolls = true;
    }
    return seen;
  };
  const isNothing = (box) => box.right - box.left < 1 || box.bottom - box.top < 1;
  const overlap = (one, other, least = 1.5) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > least &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > least;
  const isCityCutOff = (element) =>
    element.matches(".city:not(.chosen)") && getComputedStyle(element).overflow === "clip";

  const outside = () => {
    const faults = [];
    const { scrollWidth, scrollHeight } = root;
    if (scrollWidth > innerWidth || scrollHeight > innerHeight) {
      faults.push(`the page is larger than the window: ${scrollWidth} x ${scrollHeight}`);
    }
    for (const part of all(PARTS)) {
      if (!isShown(part)) continue;
      const box = part.getBoundingClientRect();
      if (isNothing(box)) continue;
      const seen = seenPart(part, box);
      const isCut =
        seen.left - box.left > 1 ||
        seen.top - box.top > 1 ||
        box.right - seen.right > 1 ||
        box.bottom - seen.bottom > 1;
      const leaves =
        seen.left < -0.5 || seen.top < -0.5 || seen.right > innerWidth + 0.5 || seen.bottom > innerHeight + 0.5;
      if (leaves) faults.push(`leaves the screen: ${name(part)}`);
      else if (isCut && !seen.scrolls && !isCityCutOff(part)) faults.push(`is cut off: ${name(part)}`);
    }
    return faults;
  };

  // The drawer lies over the board on purpose, and a list that can be scrolled passes below the actions.
  const mayCover = (one, other) => {
    const pair = [one, other];
    const isOpen = root.dataset.tab === "cards";
    const isOver = (each) => each.closest(".display, .bank, .chart, .log");
    if (isOpen && pair.some(isOver) && pair.some((each) => each.closest(".board"))) return true;
    return (
      pair.some((each) => each.closest(".acts")) &&
      pair.some((each) => !each.closest(".acts") && each.closest(".sheet"))
    );
  };
  const overlaps = () => {
    const faults = [];
    for (const selector of [BLOCKS, PARTS]) {
      const parts = all(selector)
        .filter(isShown)
        .map((part) => [part, seenPart(part)])
        .filter(([, box]) => !isNothing(box));
      for (const [index, [one, box]] of parts.entries()) {
        for (const [other, second] of parts.slice(index + 1)) {
          if (!overlap(box, second) || one.contains(other) || other.contains(one) || mayCover(one, other)) continue;
          faults.push(`overlap: ${name(one)} and ${name(other)}`);
        }
      }
    }
    return faults;
  };

  const wordsOf = (within) => {
    const walker = document.createTreeWalker(within, NodeFilter.SHOW_TEXT);
    const found = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (!node.data.trim()) continue;
      const parent = node.parentElement;
      if (!isShown(parent) || Number.parseFloat(getComputedStyle(parent).fontSize) === 0) continue;
      if (getComputedStyle(parent).color === "rgba(0, 0, 0, 0)") continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const line of range.getClientRects()) {
        const box = seenPart(node, line);
        if (!isNothing(box)) found.push({ node, parent, box });
      }
    }
    return found;
  };
  const textOverText = () => {
    const words = wordsOf(part()).filter(({ parent }) => !parent.closest("svg"));
    const faults = new Set();
    for (const [index, one] of words.entries()) {
      for (const other of words.slice(index + 1)) {
        if (one.node === other.node || !overlap(one.box, other.box, 3) || mayCover(one.parent, other.parent)) continue;
        faults.add(`text over text: “${one.node.data.trim()}” and “${other.node.data.trim()}”`);
      }
    }
    for (const city of all(".city")) {
      const [title, ...ranks] = [".cn", ".rk1", ".rk2"]
        .map((each) => city.querySelector(each))
        .filter((each) => each && isShown(each));
      for (const each of ranks) {
        if (overlap(title.getBoundingClientRect(), each.getBoundingClientRect()))
          faults.add(`the name of ${name(title)} runs into its ranks`);
      }
      for (const badge of title ? city.querySelectorAll(".ranks use") : []) {
        if (isShown(badge) && overlap(title.getBoundingClientRect(), badge.getBoundingClientRect(), 3))
          faults.add(`the name of ${name(title)} runs into the badges of its ranks`);
      }
      const box = title && title.getBoundingClientRect();
      if (box && box.right > city.getBoundingClientRect().right + 0.5)
        faults.add(`the name of ${name(title)} is too long`);
    }
    return [...faults];
  };

  // Words that run over the edge of the card, button or line that they are in.
  const overTheEdge = () => {
    const faults = new Set();
    for (const { node, parent, box } of wordsOf(part())) {
      const around = parent.ownerSVGElement
        ? null
        : parent.closest(".loan, .card, .act, .btn, .merchant, .tabs button, .spaces li");
      if (parent.closest(".unread")) continue; // it sits on the corner of its button
      const edge = (parent.closest(".chip-face") ?? around)?.getBoundingClientRect();
      if (!edge) continue;
      const isOver =
        box.left < edge.left - 1 ||
        box.right > edge.right + 1 ||
        box.top < edge.top - 2 ||
        box.bottom > edge.bottom + 2;
      if (isOver) faults.add(`“${node.data.trim()}” runs over the edge of ${name(around)}`);
    }
    return [...faults];
  };

  // A table in a payday that is wider than its pane.
  const wideTables = () =>
    all(".pay-steps, .pay-step")
      .filter((each) => isShown(each) && each.scrollWidth > each.clientWidth + 1)
      .map((each) => `${each.scrollWidth - each.clientWidth} px wider than there is room for: ${name(each)}`);

  // Words that are cut off where they cannot be scrolled to. Names that are too long end in dots.
  const cutOff = () =>
    all(".pan *, .grp *, .top *, .pan, .grp, .tabs *")
      .filter((each) => {
        if (!isShown(each) || !each.textContent.trim() || each.closest("svg, #entries, .reason, .name")) return false;
        const style = getComputedStyle(each);
        const hides = (overflow) => overflow === "hidden" || overflow === "clip";
        return (
          (hides(style.overflowX) && each.scrollWidth > each.clientWidth + 1) ||
          (hides(style.overflowY) && each.scrollHeight > each.clientHeight + 1)
        );
      })
      .map((each) => `words are cut off: ${name(each)}`);

  const smallText = ([text, figures]) => {
    const faults = new Set();
    for (const { node, parent } of wordsOf(part())) {
      const drawing = parent.closest("svg");
      const scale = parent.ownerSVGElement ? parent.getScreenCTM().d : 1;
      const size = Number.parseFloat(getComputedStyle(parent).fontSize) * scale;
      const least = drawing?.matches(".map") ? figures : text;
      if (size < least - 0.05)
        faults.add(`${size.toFixed(1)} px: “${node.data.trim()}” in ${parent.className.baseVal ?? parent.className}`);
    }
    for (const map of all(".map")) {
      const style = getComputedStyle(map);
      if (style.getPropertyValue("--numbers-opacity").trim() === "0" || !isShown(map)) continue;
      const probe = map.querySelector(".cv");
      const size = (Number.parseFloat(getComputedStyle(probe).fontSize) / 1.02) * map.getScreenCTM().a;
      if (size < figures - 0.05) faults.add(`${size.toFixed(1)} px: figures of ${map.getAttribute("aria-label")}`);
    }
    for (const face of all(".card .face")) {
      if (!isShown(face)) continue;
      const size = 12.2 * face.getScreenCTM().a;
      if (size < text - 0.05) faults.add(`${size.toFixed(1)} px: names on cards`);
    }
    return [...faults];
  };

  // How far something can be hit to both sides of its middle, by what a tap there would hit.
  const reach = (element, x, y, across) => {
    let length = 1;
    for (const sign of [-1, 1]) {
      for (let step = 1; step <= THUMB; step += 1) {
        const hit = document.elementFromPoint(x + (across ? sign * step : 0), y + (across ? 0 : sign * step));
        if (!hit || !(element.contains(hit) || hit === element)) break;
        length += 1;
      }
    }
    return length;
  };
  // How large something is to tap, in sight: what a scrolling part cuts off is scrolled there first, and back again.
  const tapped = (element) => {
    const scrolled = [];
    for (let each = element.parentElement; each && each !== root; each = each.parentElement) {
      scrolled.push([each, each.scrollLeft, each.scrollTop]);
    }
    element.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
    const seen = seenPart(element);
    const [x, y] = [(seen.left + seen.right) / 2, (seen.top + seen.bottom) / 2];
    const hit = isNothing(seen) ? null : document.elementFromPoint(x, y);
    const isHit = hit && element.contains(hit);
    const size = isHit ? [reach(element, x, y, true), reach(element, x, y, false)] : null;
    for (const [each, left, top] of scrolled) each.scrollTo({ left, top, behavior: "instant" });
    return size;
  };
  const smallTargets = () => {
    const faults = [];
    for (const element of all(TAPPED)) {
      if (!isShown(element) || element.disabled) continue;
      if (element.matches("input") && element.closest("label")) continue; // its label can be tapped
      const least = element.matches("g.target") ? FINGERTIP : THUMB;
      const box = element.getBoundingClientRect();
      const seen = seenPart(element, box);
      if (isNothing(box) || (isNothing(seen) && !seen.scrolls)) continue;
      if (box.width >= least - 0.5 && box.height >= least - 0.5) continue;
      const size = tapped(element);
      if (!size) {
        if (!element.matches("g.target")) faults.push(`cannot be tapped: ${name(element)}`);
        continue;
      }
      const [width, height] = [Math.max(size[0], box.width), Math.max(size[1], box.height)];
      if (width < least - 1 || height < least - 1) {
        faults.push(`${Math.round(width)} x ${Math.round(height)} px to tap: ${name(element)}`);
      }
    }
    return faults;
  };

  const share = () => {
    const board = document.getElementById("board");
    if (!isShown(board)) return [];
    const pane = board.getBoundingClientRect();
    const cities = all(".city").map((each) => seenPart(each));
    const edge = (side, choose) => choose(...cities.map((each) => each[side]));
    const width = edge("right", Math.max) - edge("left", Math.min);
    const height = edge("bottom", Math.max) - edge("top", Math.min);
    const covered = (width * height) / (pane.width * pane.height);
    return covered < SHARE ? [`the board covers ${Math.round(100 * covered)} % of its pane`] : [];
  };

  // What the next step needs: the step itself, what it says, and the first of the actions.
  const STEPS = "#plan-steps";

  const nextStep = () => {
    if (!document.querySelector("#table.acting")) return [];
    const first =
      ["#acts .act:not(.no, .pending)", "#acts .list > *"].find((each) => document.querySelector(each)) ?? "#hand .playable";
    const step = document.querySelector("#table.planning") ? ".path" : ".step.now";
    const whole = ([selector, part]) => {
      if (root.dataset.tab === "cards" && part?.closest("#acts, #hand")) return true;
      if (!part || !isShown(part)) return false;
      const box = part.getBoundingClientRect();
      const seen = seenPart(part, box);
      // The steps of a turn are read from side to side.
      return seen.bottom - seen.top > box.height - 1 && (selector === STEPS || seen.right - seen.left > box.width - 1);
    };
    const isPhone = Math.min(innerWidth, innerHeight) < 600;
    const present = ["#act-end", ...(isPhone ? [] : [STEPS])].filter((each) => document.querySelector(each));
    return [step, "#sentence", first, ...present]
      .map((selector) => [selector, document.querySelector(selector)])
      .filter((each) => !whole(each))
      .map(([selector]) => `not in sight: ${selector}`);
  };

  // What opens over the table lies in the window and needs no scrolling from side to side; a page neither.
  const frame = () => {
    const { left, top, right, bottom } = part().getBoundingClientRect();
    const faults = [];
    if (part().scrollWidth > part().clientWidth + 1) faults.push(`${scope} is wider than there is room for`);
    if (scope === "body") return root.scrollWidth > innerWidth ? ["the page is wider than the window"] : faults;
    if (left < -0.5 || top < -0.5 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5) {
      faults.push(`${scope} leaves the screen`);
    }
    return faults;
  };

  // -------------------------------------------------------------------------------------------------------- contrast
  // The colour of a text comes from its style, the ground from a picture of the page without texts.

  const WITHOUT_TEXT = new CSSStyleSheet();
  WITHOUT_TEXT.replaceSync(`* { -webkit-text-fill-color: transparent !important; text-shadow: none !important }
    ::placeholder { -webkit-text-fill-color: transparent !important }
    text, tspan { fill: transparent !important }`);
  const showText = (isWanted) => {
    document.adoptedStyleSheets = isWanted ? [] : [WITHOUT_TEXT];
  };

  const paint = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const colours = new Map();
  const colourOf = (words) => {
    if (!colours.has(words)) {
      paint.clearRect(0, 0, 1, 1);
      paint.fillStyle = words;
      paint.fillRect(0, 0, 1, 1);
      const [red, green, blue, alpha] = paint.getImageData(0, 0, 1, 1).data;
      colours.set(words, [red, green, blue, alpha / 255]);
    }
    return colours.get(words);
  };
  const opacityOf = (element) => {
    let opacity = 1;
    for (let each = element; each; each = each.parentElement) opacity *= Number(getComputedStyle(each).opacity);
    return opacity;
  };
  // What lies over other parts of the table.
  const OVER = "[popover], dialog, .stage, .acts, .display, .bank, .log, .chart, .tabs, .show-rest, .top";
  const isCovered = (element, { left, top, right, bottom }) => {
    const middle = (left + right) / 2;
    return [
      [middle, (top + bottom) / 2],
      [left + 1, top + 1],
      [right - 1, top + 1],
      [middle, bottom - 1],
    ].some(([x, y]) => {
      const over = document.elementFromPoint(x, y)?.closest(OVER);
      return Boolean(over) && !over.contains(element) && !element.contains(over);
    });
  };
  // What is dimmed, or in the shadow of a step of a payday, is not spoken of now; what is disabled cannot be used.
  const MUTED = ".staged:has(.stage:not(.list)) .city:not(.lit), :disabled";
  const SIGNS = ".wax-dots"; // drawn with letters
  const isLarge = (size, weight) => size >= LARGE || (size >= LARGE_IF_BOLD && weight >= BOLD);
  const described = (words, parent, box, style, scale) => {
    const isDrawn = Boolean(parent.ownerSVGElement);
    const [red, green, blue, alpha] = colourOf(isDrawn ? style.fill : style.color);
    return {
      what: `“${words}” in ${name(parent)}`,
      box,
      colour: [red, green, blue, alpha * opacityOf(parent) * (isDrawn ? Number(style.fillOpacity) : 1)],
      least: parent.matches(SIGNS) || isLarge(Number.parseFloat(style.fontSize) * scale, Number(style.fontWeight)) ? ENOUGH_IF_LARGE : ENOUGH,
    };
  };
  const inWindow = ({ left, top, right, bottom }) => ({
    left: Math.max(0, left),
    top: Math.max(0, top),
    right: Math.min(innerWidth, right),
    bottom: Math.min(innerHeight, bottom),
  });
  const texts = () => {
    const found = [];
    for (const { node, parent, box } of wordsOf(part())) {
      const round = parent.matches(".cv") ? 0.15 * (box.right - box.left) : 0; // it may reach over the edge of its coin
      const seen = inWindow({ ...box, left: box.left + round, right: box.right - round });
      const style = getComputedStyle(parent);
      if (isNothing(seen) || parent.closest(MUTED) || isCovered(parent, seen)) continue;
      if (parent.ownerSVGElement && (style.fill === "none" || style.fill.startsWith("url"))) continue;
      if (/emoji/i.test(style.fontFamily)) continue;
      const scale = parent.ownerSVGElement ? parent.getScreenCTM().d : 1;
      found.push(described(node.data.trim().slice(0, 40), parent, seen, style, scale));
    }
    for (const map of scope === "#table" ? all(".map") : []) found.push(...figuresOf(map));
    return found;
  };
  // The printed figures of a city are drawn once for the page, and shown by reference.
  const figuresOf = (map) => {
    if (!isShown(map) || getComputedStyle(map).getPropertyValue("--numbers-opacity").trim() === "0") return [];
    if (map.closest(MUTED)) return [];
    const at = map.getScreenCTM();
    const pieces = [...map.querySelectorAll(".piece, .site, .berth, .gone")].map((each) => each.getBoundingClientRect());
    const ground = map.querySelector(".ground use").getAttribute("href");
    const size = Number.parseFloat(getComputedStyle(map.querySelector(".cv")).fontSize) / 1.02; // as the city has room
    return [...document.querySelectorAll(`${ground} text`)].flatMap((text) => {
      const style = getComputedStyle(text);
      const words = text.textContent.trim();
      const x = Number(text.getAttribute("x")) * at.a + at.e;
      const y = (Number(text.getAttribute("y")) - size * 0.36) * at.d + at.f;
      const [width, height] = [0.2 * size * words.length * at.a, 0.36 * size * at.d];
      const box = { left: x - width, top: y - height, right: x + width, bottom: y + height };
      const seen = inWindow(seenPart(map, box));
      const isUnder = pieces.some((each) => each.left <= x && each.right >= x && each.top <= y && each.bottom >= y);
      if (isUnder || isNothing(seen) || isCovered(map, seen)) return [];
      return [described(`${words} of ${map.getAttribute("aria-label")}`, text, seen, style, at.a)];
    });
  };

  const pixels = async (url) => {
    const picture = await createImageBitmap(await (await fetch(url)).blob());
    const canvas = new OffscreenCanvas(picture.width, picture.height).getContext("2d", { willReadFrequently: true });
    canvas.drawImage(picture, 0, 0);
    return canvas.getImageData(0, 0, picture.width, picture.height);
  };
  const LINEAR = Float64Array.from({ length: 256 }, (_, level) =>
    level / 255 <= 0.03928 ? level / 255 / 12.92 : ((level / 255 + 0.055) / 1.055) ** 2.4,
  );
  const luminance = (red, green, blue) =>
    0.2126 * LINEAR[Math.round(red)] + 0.7152 * LINEAR[Math.round(green)] + 0.0722 * LINEAR[Math.round(blue)];
  const contrastAt = (data, at, [red, green, blue, alpha]) => {
    const mixed = [red, green, blue].map((each, index) => alpha * each + (1 - alpha) * data[at + index]);
    const [one, other] = [luminance(...mixed), luminance(data[at], data[at + 1], data[at + 2])];
    return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  };
  /** Texts that are hard to read, from a picture of the page without texts as a data URL. */
  const contrast = async (url) => {
    const { data, width, height } = await pixels(url);
    const scale = width / innerWidth;
    const faults = new Set();
    for (const { what, box, colour, least } of texts()) {
      const [quarter, found] = [(box.bottom - box.top) / 4, []];
      const last = Math.min(height - 1, Math.floor((box.bottom - quarter) * scale));
      for (let row = Math.floor((box.top + quarter) * scale); row <= last; row += 2) {
        const end = Math.min(width, Math.ceil(box.right * scale));
        for (let column = Math.floor(box.left * scale); column < end; column += 2) {
          found.push(contrastAt(data, 4 * (row * width + column), colour));
        }
      }
      const here = found.toSorted((one, other) => one - other)[Math.floor(WORST * found.length)];
      if (here < least - 0.05) faults.add(`contrast ${here.toFixed(1)}: ${what}`);
    }
    return [...faults];
  };

  // ----------------------------------------------------------------------------------------------- what is looked at

  const byId = (id) => document.getElementById(id);
  const isThere = (element) => Boolean(element) && element.checkVisibility({ visibilityProperty: true });
  const openers = () => {
    const found = new Map();
    for (const button of document.querySelectorAll("#table [popovertarget]")) {
      const id = button.getAttribute("popovertarget");
      const kind = id.replace(/-\d+$/, "");
      if (isThere(button) && byId(id)) found.set(kind, [...(found.get(kind) ?? []), button]);
    }
    return found;
  };
  // Of several of a kind the one with most in it.
  const opener = (kind) => {
    const size = (button) => byId(button.getAttribute("popovertarget")).textContent.length;
    return openers().get(kind)?.toSorted((one, other) => size(other) - size(one))[0];
  };
  const closeAll = () => {
    for (const open of document.querySelectorAll("[popover]:popover-open")) open.hidePopover();
    document.activeElement?.blur();
    delete root.dataset.asking;
  };
  const opened = async (id) => {
    for (const until = performance.now() + SLOW; performance.now() < until; ) {
      if (byId(id)?.matches(":popover-open")) return true;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return false;
  };
  const clicked = (element) => element?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  const toStep = (number) => {
    if (document.querySelector("#stage.list")) byId("stage-list").click();
    for (let back = 0; back < 40; back += 1) document.querySelector("[data-stage=back]:enabled")?.click();
    for (let step = 0; step < number; step += 1) document.querySelector("[data-stage=next]:enabled")?.click();
  };
  const steps = () => [...document.querySelectorAll(".pay-step")];
  const longest = () => {
    const sizes = steps().map((step) => step.textContent.trim().length);
    return sizes.indexOf(Math.max(...sizes.slice(0, -1)));
  };
  const STAGE = {
    list: () => document.querySelector("#stage:not(.list)") && byId("stage-list").click(),
    step: () => toStep(longest()),
    recap: () => toStep(steps().length - 1),
  };
  const FETCHED = {
    ways: () => clicked(document.querySelector(".city.reachable .ground, .city .ground")),
    hint: () => clicked(byId("ask-hint")),
    explain: () => byId("open-menu") && clicked(byId("ask")),
    bubble: () => {
      document.dispatchEvent(new KeyboardEvent("keydown", { key: "Tab", bubbles: true }));
      document.querySelector("#act-end, #open-menu, .loan")?.focus({ focusVisible: true });
      document.querySelector(".city [data-help]")?.focus({ focusVisible: true });
    },
  };

  /** Names of what there is to look at in this page; what opens over the table only if that is wanted. */
  const looks = (withPopovers) => {
    if (!byId("table")) return ["page"];
    if (byId("stage")) return Object.keys(STAGE);
    const found = ["board"];
    if (isThere(byId("tab-cards"))) found.push("cards");
    if (isThere(byId("zoom"))) found.push("zoom");
    if (!withPopovers) return found;
    const fetched = Object.keys(FETCHED).filter((each) => !["ways", "hint"].includes(each) || document.querySelector(".acting"));
    return [...found, ...openers().keys(), ...fetched];
  };
  /** Show something and measure it from now on; whether it is there. */
  const look = async (wanted) => {
    closeAll();
    scope = byId("table") ? "#table" : "body";
    if (wanted === "page") return true;
    document.querySelector("#acts .list")?.scrollTo(0, 0); // where it was before something in it was opened
    byId(wanted === "cards" ? "tab-cards" : "tab-board")?.click();
    const zoom = byId("zoom");
    if (zoom && (root.dataset.zoom === "in") !== (wanted === "zoom")) zoom.click();
    if (["board", "cards", "zoom"].includes(wanted)) return true;
    if (wanted in STAGE) {
      STAGE[wanted]();
      return true;
    }
    const button = opener(wanted);
    const id = button ? button.getAttribute("popovertarget") : wanted;
    button?.scrollIntoView({ block: "nearest" }); // as who clicks on it has done
    if (button) button.click();
    else await FETCHED[wanted]?.();
    if (!(await opened(id))) return false;
    scope = `#${id}`;
    return true;
  };

  return {
    looks,
    look,
    outside,
    overlaps,
    textOverText,
    overTheEdge,
    cutOff,
    wideTables,
    smallText,
    smallTargets,
    share,
    nextStep,
    frame,
    showText,
    contrast,
  };
})();
