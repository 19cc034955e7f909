// Measures a table in a page: what leaves the screen, overlaps, is cut off, too small or hard to read.
// An expression whose value is an object of functions; each returns sentences, one for each fault.
(() => {
  const PARTS =
    ".city, .merchant, .display .card:not(.gap), .hand .card, .loan, .quay, .spaces li, .acts .act, .top .btn, .step, .when, .mine, .sentence, .tabs button";
  const BLOCKS = ".top, .board, .pan, .grp, .tabs";
  const TAPPED = "button, a.btn, a.act, select, input:not([type=hidden]), summary, [role=button]";
  const THUMB = 44;
  const FINGERTIP = 24; // for a site inside a city
  const ENOUGH = 4.5; // contrast of text
  const SHARE = 2 / 3; // of its pane that the board covers

  const root = document.documentElement;
  const all = (selector) => [...document.querySelectorAll(`#table ${selector.replaceAll(", ", ", #table ")}`)];
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
  const isShown = (element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    !element.closest(".sr, [popover], dialog, .sprite") &&
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
    const words = wordsOf(document.getElementById("table")).filter(({ parent }) => !parent.closest("svg"));
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
      const box = title && title.getBoundingClientRect();
      if (box && box.right > city.getBoundingClientRect().right + 0.5)
        faults.add(`the name of ${name(title)} is too long`);
    }
    return [...faults];
  };

  // Words that run over the edge of the card, button or line that they are in.
  const overTheEdge = () => {
    const faults = new Set();
    for (const { node, parent, box } of wordsOf(document.getElementById("table"))) {
      const around = parent.ownerSVGElement
        ? null
        : parent.closest(".loan, .card, .act, .btn, .merchant, .tabs button, .spaces li");
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
    for (const { node, parent } of wordsOf(document.getElementById("table"))) {
      const drawing = parent.closest("svg");
      const scale = parent.ownerSVGElement ? parent.getScreenCTM().a : 1;
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
  const smallTargets = () => {
    const faults = [];
    for (const element of all(TAPPED)) {
      if (!isShown(element) || element.disabled) continue;
      const least = element.matches("g.target") ? FINGERTIP : THUMB;
      const box = element.getBoundingClientRect();
      const seen = seenPart(element, box);
      if (isNothing(seen) || seen.scrolls) continue; // it can be scrolled into sight
      if (box.width >= least - 0.5 && box.height >= least - 0.5) continue;
      const [x, y] = [(seen.left + seen.right) / 2, (seen.top + seen.bottom) / 2];
      const hit = document.elementFromPoint(x, y);
      if (!hit || !element.contains(hit)) {
        if (!element.matches("g.target")) faults.push(`cannot be tapped: ${name(element)}`);
        continue;
      }
      const [width, height] = [reach(element, x, y, true), reach(element, x, y, false)];
      if (width < least - 1 || height < least - 1) faults.push(`${width} x ${height} px to tap: ${name(element)}`);
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
    const part = (width * height) / (pane.width * pane.height);
    return part < SHARE ? [`the board covers ${Math.round(100 * part)} % of its pane`] : [];
  };

  // What the next step needs: the step itself, what it says, and the first of the actions.
  const nextStep = () => {
    if (!document.querySelector("#table.acting")) return [];
    const first =
      ["#acts .act:not(.no)", "#acts .list > *"].find((each) => document.querySelector(each)) ?? "#hand .playable";
    return [".step.now", "#sentence", first]
      .map((selector) => [selector, document.querySelector(selector)])
      .filter(([selector, part]) => {
        if (selector === first && root.dataset.tab === "cards") return false;
        if (!part || !isShown(part)) return true;
        const box = part.getBoundingClientRect();
        const seen = seenPart(part, box);
        return seen.bottom - seen.top < box.height - 1 || seen.right - seen.left < box.width - 1;
      })
      .map(([selector]) => `not in sight: ${selector}`);
  };

  // Contrast from what was painted: a picture with the text and one without it, as data URLs, and where the text is.
  const places = () =>
    all(".target")
      .filter((target) => isShown(target) && !target.querySelector(".sign"))
      .map((target) => [name(target), target.querySelector(".halo").getBoundingClientRect()])
      .filter(
        ([, box]) =>
          box.width > 0 && box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth,
      )
      .map(([what, { x, y, width, height }]) => ({ what, x, y, width, height }));
  const pixels = async (url) => {
    const picture = await createImageBitmap(await (await fetch(url)).blob());
    const canvas = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
    canvas.drawImage(picture, 0, 0);
    return canvas.getImageData(0, 0, picture.width, picture.height);
  };
  const luminance = (data, at) => {
    const parts = [0, 1, 2].map((each) => {
      const value = data[at + each] / 255;
      return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
  };
  const contrast = async ([withText, without, boxes, scale]) => {
    const [text, ground] = [await pixels(withText), await pixels(without)];
    const faults = [];
    for (const { what, x, y, width, height } of boxes) {
      let best = 0;
      for (let row = Math.ceil(y * scale); row < (y + height) * scale; row += 1) {
        for (let column = Math.ceil(x * scale); column < (x + width) * scale; column += 1) {
          const at = 4 * (row * text.width + column);
          const [one, other] = [luminance(text.data, at), luminance(ground.data, at)];
          best = Math.max(best, (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05));
        }
      }
      if (best < ENOUGH) faults.push(`contrast ${best.toFixed(1)}: ${what}`);
    }
    return faults;
  };

  return {
    outside,
    overlaps,
    textOverText,
    overTheEdge,
    cutOff,
    smallText,
    smallTargets,
    share,
    nextStep,
    places,
    contrast,
  };
})();
