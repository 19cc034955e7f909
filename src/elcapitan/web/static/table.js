// Brings the table to life. No rule, no sum and no word of the game is in here: what is shown was made by the server,
// and the table is replaced as a whole whenever something changes. So everything listens at the document.
"use strict";
(() => {
  const root = document.documentElement;
  const find = (selector, within = document) => within.querySelector(selector);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const table = () => document.getElementById("table");
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const narrow = matchMedia("(max-width: 819px)");
  root.classList.add("scripted");

  // What a browser remembers about a game; it may refuse to.
  const remember = (key, value) => { try { localStorage.setItem(key, value); } catch { /* then not */ } };
  const recall = (key) => { try { return localStorage.getItem(key); } catch { return null; } };
  const about = (what) => `elcapitan ${table().dataset.game} ${what}`;

  // ---------------------------------------------------------------------------------------------------------- sending

  // One thing for each state of the table: a double click plays once, but a quick click on what has just come counts.
  let sent = "";
  // The source has no fields of its own, so that nothing is sent but what is meant.
  const ask = (method, url, options) => htmx.ajax(method, url, { source: "#sender", target: "#table", swap: "outerMorph", ...options });
  const morph = async (method, url, options = {}) => {
    const number = method === "POST" ? table().dataset.number : "";
    if (number && number === sent) return;
    sent = number || sent;
    try {
      await ask(method, url, options);
    } finally {
      if (number === sent) sent = "";
    }
  };

  document.addEventListener("submit", (event) => {
    const form = event.target.closest("form[data-morph]");
    if (!form || !window.htmx || event.defaultPrevented) return;
    event.preventDefault();
    if (form.dataset.say !== undefined) return say(form);
    closeAll();
    seen = Number(table().dataset.events); // whoever acts has looked
    morph("POST", form.action, { values: Object.fromEntries(new FormData(form, event.submitter)) });
  });

  // What comes by two ways can overtake: only what is newer is drawn. A version is a row of numbers that only grow, as
  // long as the server runs; what it says by itself after a new start is believed.
  const numbers = (version) => version.split(".").map(Number);
  const behind = (html) => {
    const coming = /data-version="([\d.]+)"/.exec(html ?? "");
    const here = table()?.dataset;
    if (!coming || here?.live !== "yes") return -1;
    const [now, then] = [numbers(here.version), numbers(coming[1])];
    const place = now.findIndex((number, each) => number !== then[each]);
    return place < 0 ? 0 : now[place] - then[place];
  };
  const old = (html) => {
    const coming = /data-number="(\d+)"/.exec(html ?? "");
    return coming && table()?.dataset.live === "yes" && Number(coming[1]) < Number(table().dataset.number);
  };
  document.addEventListener("htmx:before:swap", (event) => {
    const { text, response } = event.detail?.ctx ?? {};
    if (GONE.includes(response?.status) || (response?.status === 503 && !text?.includes("data-version"))) {
      event.preventDefault();
      return location.reload();
    }
    const late = behind(text);
    if (late > 0 || (late === 0 && response?.status === 200)) event.preventDefault(); // a refusal is shown all the same
  });
  document.addEventListener("htmx:sse:before:message", (event) => {
    const html = event.detail?.message?.data;
    if (old(html) || behind(html) === 0) event.preventDefault();
  });
  // A seat that was taken away, a game that was deleted: the page says so.
  const GONE = [403, 404];
  document.addEventListener("htmx:sse:error", (event) => {
    if (GONE.includes(event.detail?.status)) location.reload();
  });

  // Places on the board play like the buttons that say the same.
  const play = (actions) => {
    const form = document.getElementById("turn");
    const button = document.createElement("button");
    Object.assign(button, { type: "submit", name: "actions", value: actions, hidden: true });
    form.append(button);
    form.requestSubmit(button);
    button.remove();
  };

  // ------------------------------------------------------------------------------------------------------------- talk

  const say = async (form) => {
    const values = Object.fromEntries(new FormData(form));
    form.reset();
    await ask("POST", form.action, { values });
  };
  // What is new since somebody has looked; while the talk is open, everything is seen.
  const hear = () => {
    const box = document.getElementById("talk");
    if (!box) return;
    if (box.matches(":popover-open") && document.visibilityState === "visible") remember(about("talk"), box.dataset.last);
    const read = Number(recall(about("talk")) ?? 0);
    const fresh = all(".said:not(.mine)", box).filter((line) => Number(line.dataset.line) > read).length;
    const count = document.getElementById("unread");
    count.hidden = !fresh;
    count.textContent = fresh;
    for (const each of all("time", box)) {
      const at = new Date(each.dateTime);
      const today = at.toDateString() === new Date().toDateString();
      each.textContent = at.toLocaleString(root.lang, { ...(today ? {} : { dateStyle: "short" }), timeStyle: "short" });
    }
  };
  document.addEventListener("toggle", (event) => {
    if (event.target.id !== "talk" || event.newState !== "open") return;
    hear();
    document.getElementById("say-text")?.focus();
  }, true);

  // ----------------------------------------------------------------------------------------------------------- clocks

  // Clocks go by the time of the house: what it was when the page came, and how much has passed here since.
  const ahead = Number(document.getElementById("live")?.dataset.now ?? Date.now()) - Date.now();
  const two = (number) => String(number).padStart(2, "0");
  const tick = () => {
    for (const each of all("[data-due]")) {
      const left = Math.max(0, Math.ceil((Number(each.dataset.due) - Date.now() - ahead) / 1000));
      const [hours, minutes, seconds] = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60];
      each.textContent = hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
      each.closest(".clock").classList.toggle("near", left <= Number(each.dataset.near));
    }
  };
  let ticking = 0;
  const wind = () => {
    tick();
    const due = Boolean(find("[data-due]"));
    if (due && !ticking) ticking = setInterval(tick, 1000);
    if (!due) ticking = clearInterval(ticking) ?? 0;
  };

  // --------------------------------------------------------------------------------------------------------- previews

  let foreseen = "";
  const foresee = (actions) => {
    if (actions === foreseen) return;
    foreseen = actions;
    for (const each of all(".on[data-for], .hot")) each.classList.remove("on", "hot");
    if (!actions) return;
    for (const each of all(`[data-for~="${actions}"]`)) each.classList.add("on");
    for (const each of all(`.act[data-act="${actions}"]`)) each.classList.add("hot");
  };
  const acting = (target) => target.closest?.("[data-act]")?.dataset.act ?? "";
  document.addEventListener("pointerover", (event) => foresee(acting(event.target) || acting(document.activeElement ?? document.body)));
  document.addEventListener("focusin", (event) => foresee(acting(event.target)));
  document.addEventListener("focusout", () => foresee(""));

  // ------------------------------------------------------------------------------------------------------------- help

  let explained = null;
  let waiting = 0;
  const bubble = () => document.getElementById("bubble");
  const explain = (thing) => {
    const box = bubble();
    const topic = thing.dataset.help && find(`#help-topics [data-topic="${thing.dataset.help}"]`);
    if (!box || !topic) return;
    explained = thing;
    find(".what", box).textContent = thing.getAttribute("aria-label") ?? "";
    const why = find(".why", box);
    why.textContent = thing.dataset.why ?? "";
    if (thing.dataset.rule) {
      const link = find("#rule-link").cloneNode(true);
      link.removeAttribute("id");
      link.href += thing.dataset.rule;
      link.textContent = link.textContent.replace("%", thing.dataset.rule);
      why.append(" ", link);
    }
    find(".about", box).replaceChildren(...[...topic.children].map((each) => each.cloneNode(true)));
    thing.setAttribute("aria-describedby", "explanation");
    if (!box.matches(":popover-open")) box.showPopover();
    beside(box, thing.getBoundingClientRect());
  };
  const hush = () => {
    clearTimeout(waiting);
    explained?.removeAttribute("aria-describedby");
    explained = null;
    const box = bubble();
    if (box?.matches(":popover-open")) box.hidePopover();
  };
  // Below a thing where there is room, else above it; never beyond the edge of the window.
  const beside = (box, thing) => {
    const { width, height } = box.getBoundingClientRect();
    const left = Math.min(Math.max(8, thing.left), innerWidth - width - 8);
    const below = thing.bottom + 6 + height < innerHeight;
    box.style.left = `${left}px`;
    box.style.top = `${below ? thing.bottom + 6 : Math.max(8, thing.top - height - 6)}px`;
  };
  document.addEventListener("pointerover", (event) => {
    if (event.pointerType === "touch") return;
    const thing = event.target.closest?.("[data-help]");
    if (event.target.closest?.("#bubble") || (thing && thing === explained)) return clearTimeout(waiting);
    clearTimeout(waiting);
    if (thing) waiting = setTimeout(() => explain(thing), 650);
    else if (explained) waiting = setTimeout(hush, 250);
  });
  document.addEventListener("focusin", (event) => {
    if (event.target.closest("#bubble")) return;
    const thing = event.target.closest("[data-help]");
    if (thing && event.target.matches(":focus-visible")) explain(thing);
    else hush();
  });

  // ---------------------------------------------------------------------------------------------- what opens over it

  let opener = null;
  const closeAll = () => {
    for (const each of all(":popover-open")) if (each.id !== "bubble") each.hidePopover();
    hush();
    find(".city.open")?.classList.remove("open");
  };
  const load = async (url, box) => {
    const answer = await fetch(url, { headers: { "HX-Request": "true" } }).catch(() => null);
    if (!answer?.ok || answer.status === 204) return false;
    box.innerHTML = await answer.text();
    return true;
  };
  const openWays = async (city) => {
    const link = find(`[data-ways="${city}"]`);
    const box = document.getElementById("ways");
    if (!link || !box) return;
    closeAll();
    opener = link;
    if (!(await load(link.getAttribute("href"), box))) return;
    show(box, document.getElementById(`city-${city}`));
  };
  // Beside the city it belongs to, so that this stays in sight.
  const show = (box, city) => {
    box.showPopover();
    if (city && !narrow.matches) {
      city.classList.add("open");
      const here = city.getBoundingClientRect();
      const own = box.getBoundingClientRect();
      const right = here.right + own.width + 8 < innerWidth;
      box.style.left = `${right ? here.right - 4 : Math.max(8, here.left - own.width + 4)}px`;
      box.style.top = `${Math.min(Math.max(8, here.top + 24), innerHeight - own.height - 8)}px`;
    }
    find("button:not(.close), a", box)?.focus({ focusVisible: document.activeElement?.matches(":focus-visible") });
  };
  const openHint = async (link) => {
    const box = document.getElementById("hint");
    closeAll();
    opener = link;
    link.setAttribute("aria-busy", "true");
    const come = await load(link.getAttribute("href"), box).finally(() => link.removeAttribute("aria-busy"));
    if (!come) return;
    show(box, null);
    beside(box, link.getBoundingClientRect());
  };

  document.addEventListener("click", (event) => {
    const target = event.target;
    const refused = target.closest("[aria-disabled='true']");
    if (refused) {
      event.preventDefault();
      if (refused.dataset.help) explain(refused);
      return;
    }
    const place = target.closest("g[data-act]");
    if (place) return play(place.dataset.act);
    const pick = target.closest("[data-pick]");
    if (pick) return choose(pick.dataset.pick);
    const tab = target.closest("button[data-tab]");
    if (tab) return turnTo(tab.dataset.tab);
    if (target.closest("[data-close]")) {
      closeAll();
      return opener?.focus();
    }
    const near = target.closest("[data-ways-to]");
    if (near && plain(event)) {
      event.preventDefault();
      return openWays(near.dataset.waysTo);
    }
    const hint = target.closest("[data-hint]");
    if (hint && plain(event)) {
      event.preventDefault();
      return openHint(hint);
    }
    const payday = target.closest("[data-payday]");
    if (payday && plain(event)) {
      event.preventDefault();
      return openPayday(payday.dataset.payday);
    }
    const moment = target.closest("[data-at]");
    if (moment && plain(event) && window.htmx) {
      event.preventDefault();
      return goTo(moment.getAttribute("href"));
    }
    const city = target.closest(".city");
    if (city && find("[data-ways]", city) && plain(event)) {
      event.preventDefault();
      return openWays(city.dataset.city);
    }
    if (!target.closest("[popover], [popovertarget], dialog")) {
      if (target.closest("[data-help]") && narrow.matches) return explain(target.closest("[data-help]"));
      for (const each of all("#ways:popover-open, #hint:popover-open")) each.hidePopover();
      find(".city.open")?.classList.remove("open");
    }
  });
  const plain = (event) => !(event.ctrlKey || event.metaKey || event.shiftKey || event.button);

  // --------------------------------------------------------------------------------------------------------- keyboard

  const walk = (part, step) => {
    const city = part.closest(".city");
    const stops = [find(".ground", city), ...all(".map > [data-help]:not(.ground), .map > .target", city)];
    const stop = stops[(stops.indexOf(part) + step + stops.length) % stops.length];
    if (!stop.hasAttribute("tabindex") && !stop.matches("a")) stop.setAttribute("tabindex", "-1");
    stop.focus();
  };
  const WALK = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
  document.addEventListener("keydown", (event) => {
    const target = event.target;
    if (event.key === "Escape") {
      const open = find("#ways:popover-open, #hint:popover-open");
      if (open) {
        closeAll();
        opener?.focus();
      } else hush();
      return;
    }
    const place = target.closest?.("g[data-act]");
    if (place && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      return play(place.dataset.act);
    }
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && !target.matches("input, textarea")) {
      event.preventDefault();
      const button = find(`[data-key="${event.shiftKey ? "redo" : "undo"}"]`);
      if (button && !button.disabled) button.click();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "?" && explained) return find(".about a", bubble())?.click();
    if (event.key in WALK && target.closest?.(".city .ground, .city .map > [data-help], .city .target")) {
      event.preventDefault();
      return walk(target.closest(".map > *"), WALK[event.key]);
    }
    const replaying = find(`#replay [data-key="${event.key}"]`);
    if (replaying && !target.matches("input, select, textarea") && !target.closest("dialog, [popover]")) {
      event.preventDefault();
      replaying.click();
    }
  });

  // ------------------------------------------------------------------------------------------------------------ replay

  const goTo = async (url) => {
    await morph("GET", url, { select: "#table" });
    history.replaceState(history.state, "", url);
  };
  let sliding = 0;
  document.addEventListener("input", (event) => {
    if (event.target.id !== "replay-at" || !window.htmx) return;
    const url = event.target.dataset.url + event.target.value;
    clearTimeout(sliding);
    sliding = setTimeout(() => goTo(url), 90);
  });
  document.addEventListener("change", (event) => {
    const form = event.target.closest("form[data-at-once]");
    if (form && form.dataset.morph !== undefined) form.requestSubmit();
  });

  // ------------------------------------------------------------------------------------------------------------ payday

  let offered = 0; // a payday is shown by itself only once
  const dialog = () => document.getElementById("payday");
  const openPayday = async (number) => {
    const box = dialog();
    if (!box || box.open || !(await load(`${table().dataset.base}/payday/${number}`, box))) return;
    remember(about("payday"), number);
    step(1);
    box.showModal();
    find("[data-payday-next]", box)?.focus();
  };
  const step = (number) => {
    const box = dialog();
    const steps = all(".pay-step", box);
    const now = Math.min(Math.max(number, 1), steps.length);
    box.dataset.step = now;
    box.classList.remove("everything");
    steps.forEach((each, place) => { each.hidden = place !== now - 1; });
    steps[now - 1].focus({ preventScroll: true });
    const count = find(".count", box);
    count.textContent = `${now} / ${count.dataset.count}`;
    finish(now === steps.length);
    find("[data-payday-back]", box).disabled = now === 1;
  };
  const finish = (last) => {
    const box = dialog();
    find("[data-payday-next]", box).hidden = last;
    find("[data-payday-done]", box).hidden = !last;
    find("[data-payday-skip]:not([data-payday-done])", box).hidden = last;
    find(last ? "[data-payday-done]" : "[data-payday-next]", box).focus();
  };
  document.addEventListener("click", (event) => {
    const box = event.target.closest("#payday");
    if (!box) return;
    const now = Number(box.dataset.step);
    if (event.target.closest("[data-payday-next]")) step(now + 1);
    else if (event.target.closest("[data-payday-back]")) step(now - 1);
    else if (event.target.closest("[data-payday-skip]")) box.close();
    else if (event.target.closest("[data-payday-all]")) {
      box.classList.add("everything");
      for (const each of all(".pay-step", box)) each.hidden = false;
      find(".count", box).textContent = "";
      finish(true);
    }
  });
  document.addEventListener("keydown", (event) => {
    const box = dialog();
    if (!box?.open || event.target.closest("a")) return;
    if (event.key === "ArrowRight") step(Number(box.dataset.step) + 1);
    if (event.key === "ArrowLeft") step(Number(box.dataset.step) - 1);
  });

  // ------------------------------------------------------------------------------------------- tabs, views, one city

  const turnTo = (tab) => {
    root.dataset.tab = tab;
    remember("elcapitan tab", tab);
    for (const each of all("[data-tab]", table())) each.setAttribute("aria-pressed", String(each.dataset.tab === tab));
  };
  let chosen = null;
  const choose = (city) => {
    chosen = city;
    for (const each of all(".city")) each.classList.toggle("chosen", each.dataset.city === chosen);
  };
  const choice = () => {
    const here = find(".city.here")?.dataset.city;
    if (!chosen || !document.getElementById(`city-${chosen}`)) return here ?? find(".city")?.dataset.city;
    return chosen;
  };

  // ------------------------------------------------------------------------------------- after every change of the table

  // Which entries of the log are new to whoever looks, and since when.
  const mark = () => {
    const here = table();
    if (here.dataset.live !== "yes") return;
    const key = about("seen");
    if (seen === null) seen = Number(recall(key) ?? here.dataset.events);
    for (const each of all(".turn")) each.classList.toggle("new", !each.matches(".mine") && Number(each.dataset.event) > seen);
    const link = document.getElementById("since");
    if (link) {
      link.hidden = Number(here.dataset.events) - seen < 2;
      link.href = link.dataset.url + seen;
    }
    if (document.visibilityState === "visible") remember(key, here.dataset.events);
  };
  let seen = null;
  document.addEventListener("visibilitychange", () => {
    if (!table()) return;
    if (document.visibilityState === "hidden") seen = Number(table().dataset.events);
    else mark();
  });

  // Pieces travel from where they were to where they are.
  let places = new Map();
  const moved = () => {
    const board = document.getElementById("board")?.getBoundingClientRect();
    if (!board) return;
    const now = new Map();
    const pieces = all(".piece[id]");
    for (const piece of pieces) for (const under of piece.getAnimations()) under.cancel();
    for (const piece of pieces) {
      const { x, y, width } = piece.getBoundingClientRect();
      now.set(piece.id, { piece, x: x - board.x, y: y - board.y, width });
    }
    if (places.size && !calm.matches) {
      for (const [id, to] of now) if (to.width) travel(to.piece, places.get(id), to);
    }
    places = now;
  };
  const travel = (piece, from, to) => {
    const scale = piece.getScreenCTM?.()?.a || 1;
    const begin = from && from.width
      ? { transform: `translate(${(from.x - to.x) / scale}px, ${(from.y - to.y) / scale}px)` }
      : { opacity: 0, transform: "translate(0, -6px)" };
    if (from && Math.hypot(from.x - to.x, from.y - to.y) < 3) return;
    const city = piece.closest(".city");
    city?.classList.add("moving");
    piece.animate([begin, { transform: "none" }], { duration: 250, easing: "ease-in-out" }).finished
      .then(() => city?.classList.remove("moving"), () => {});
  };

  // Where the keyboard is: what vanishes under it hands over to its nearest kin, so that nobody begins anew at the top.
  let kin = [];
  document.addEventListener("focusin", ({ target }) => {
    const group = target.matches("#table :focus-visible") && (target.closest(".city") ?? target.closest(".grp, .pan, .top"));
    const same = [target.id, `hand-${target.id}`].filter((id) => /.-?\d+$/.test(id)).map((id) => `#${id}`);
    kin = group ? [...same, ...(group.id ? [`#${group.id} [data-act]`, `#${group.id} .ground`] : []), "#acts [data-act]", "#entries"] : [];
  });
  const refocus = () => {
    if (document.activeElement !== document.body) return;
    const next = kin.flatMap((each) => all(each)).find((each) => each.checkVisibility() && !each.disabled);
    next?.focus({ focusVisible: true, preventScroll: true });
  };

  const settle = () => {
    const here = table();
    if (!here) return;
    refocus();
    hear();
    wind();
    choose(choice());
    mark();
    moved();
    turnTo(root.dataset.tab ?? "board");
    if (explained && !explained.isConnected) hush();
    const again = foreseen;
    foreseen = "";
    foresee(again && find(`[data-act="${again}"]`) ? again : "");
    const held = Number(here.dataset.paydays);
    if (here.dataset.live === "yes" && held > Number(recall(about("payday")) ?? 0) && held !== offered) {
      offered = held;
      openPayday(held);
    }
  };

  // Whatever has replaced the table, it is looked at once before the next picture.
  let due = 0;
  const soon = () => { due ||= requestAnimationFrame(() => { due = 0; settle(); }); };
  document.addEventListener("htmx:after:swap", soon);
  new MutationObserver(soon).observe(table(), { attributes: true, attributeFilter: ["data-version", "data-number", "data-events"] });
  addEventListener("resize", () => { places = new Map(); moved(); });

  root.dataset.tab = recall("elcapitan tab") ?? "board";
  settle();

  // htmx looks through the page as soon as it is here, which may be before its extension is: so the stream begins now.
  const live = document.getElementById("live");
  setTimeout(() => {
    if (!live || !window.htmx) return;
    live.setAttribute("hx-sse:connect", live.dataset.connect);
    htmx.process(live);
  });
})();
