// Sounds of the table, made with Web Audio when they are played. They are off until they are switched on in the menu,
// and say nothing that the page does not show.

import { root, updateMotion } from "./page.js";

const LOUDNESS = 0.3; // of everything together
const LEAST_GAP = 45; // milliseconds from a sound to the next of its name: more would be a rattle
const SILENCE = 0.0001; // an exponential ramp cannot reach 0

// A sound is made of partials. A tone has a frequency in hertz, which may glide to another; a noise is filtered around
// its frequency. Both begin after a delay, are as loud as `level` and fade in `length` seconds.
const SOUNDS = {
  // a warehouse or a fortress is put down: wood on wood
  piece: [
    { noise: 2200, level: 0.5, length: 0.018 },
    { tone: 330, glide: 190, level: 0.55, length: 0.09 },
    { tone: 940, glide: 700, level: 0.12, length: 0.035 },
  ],
  // a ship comes in: water along a hull, and a soft knock
  ship: [
    { noise: 520, level: 0.16, length: 0.34 },
    { tone: 150, glide: 110, level: 0.3, length: 0.1, delay: 0.2 },
  ],
  // a coin falls on coins
  coin: [
    { tone: 2637, level: 0.12, length: 0.16 },
    { tone: 4186, level: 0.07, length: 0.11 },
    { tone: 5274, level: 0.04, length: 0.07, delay: 0.018 },
  ],
  // a ship's bell: it is your turn
  turn: [
    { tone: 659, level: 0.3, length: 1.3 },
    { tone: 1319, level: 0.14, length: 0.9 },
    { tone: 1976, level: 0.07, length: 0.6 },
    { tone: 2768, level: 0.04, length: 0.35 },
    { noise: 3200, level: 0.06, length: 0.02 },
  ],
};

let context = null;
let output = null; // everything goes through it
let noise = null; // a second of it
const playedAt = new Map(); // name of a sound: when it was played last

const isOn = () => root.dataset.sound === "on";

const begin = () => {
  context = new AudioContext();
  output = context.createGain();
  output.gain.value = LOUDNESS;
  output.connect(context.destination);
  noise = context.createBuffer(1, context.sampleRate, context.sampleRate);
  const samples = noise.getChannelData(0);
  for (let number = 0; number < samples.length; number++) samples[number] = Math.random() * 2 - 1;
};

const toneOf = ({ tone, glide = tone, length }, at) => {
  const source = context.createOscillator();
  source.frequency.setValueAtTime(tone, at);
  source.frequency.exponentialRampToValueAtTime(glide, at + length);
  return [source, source];
};

const noiseOf = ({ noise: frequency }) => {
  const source = context.createBufferSource();
  source.buffer = noise;
  const filter = context.createBiquadFilter();
  filter.type = "bandpass";
  filter.frequency.value = frequency;
  source.connect(filter);
  return [source, filter];
};

const playPartial = (partial) => {
  const at = context.currentTime + (partial.delay ?? 0);
  const [source, end] = partial.tone ? toneOf(partial, at) : noiseOf(partial);
  const loudness = context.createGain();
  loudness.gain.setValueAtTime(partial.level, at);
  loudness.gain.exponentialRampToValueAtTime(SILENCE, at + partial.length);
  end.connect(loudness).connect(output);
  source.start(at);
  source.stop(at + partial.length);
};

/** Play one of the sounds, if they are switched on. Browsers allow none before a page was clicked or a key pressed. */
export const play = (name) => {
  if (!isOn() || !navigator.userActivation?.hasBeenActive) return;
  const now = performance.now();
  if (now - (playedAt.get(name) ?? -LEAST_GAP) < LEAST_GAP) return;
  playedAt.set(name, now);
  if (!context) begin();
  if (context.state === "suspended") context.resume();
  SOUNDS[name].forEach(playPartial);
};

// What is chosen in the menu counts at once; the server remembers it in a cookie for the next page.
document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-effect]");
  if (!form) return;
  event.preventDefault();
  const { effect } = form.dataset;
  const chosen = new FormData(form);
  fetch(form.action, { method: "POST", body: new URLSearchParams(chosen), redirect: "manual" }).catch(() => {});
  root.dataset[effect] = chosen.get(effect);
  if (root.dataset.motion === "auto") delete root.dataset.motion;
  updateMotion();
  if (effect === "sound") play("turn");
});
