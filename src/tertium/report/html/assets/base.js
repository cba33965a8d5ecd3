// The page's own script, joined from the files of this folder into one function. Text of others
// enters the page through textContent only, never as HTML.
const CUT = "\u001f";
const ROW_HEIGHT = 52;
const SPARE_ROWS = 8;
// As many systems as there are colors; of more, only A and B stand out in plots.
const DISTINCT = 7;
const LONGEST_ALIGNMENT = 400;
const byId = (name) => document.getElementById(name);

const state = { metric: 0, first: 0, second: 1, chosen: -1, shown: [],
                paired: false, // whether the reader has chosen A or B
                band: null, // poor, fair or good segments of A or B, where only those are listed
                // What people marked is seen at once; all else is a click away.
                opened: new Set(["marks A: ", "marks B: ", "marks "]) };
let data = null;
let haystacks = [];

const SVG = "http://www.w3.org/2000/svg";

function drawn(tag, attributes, ...inside) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...inside);
  return made;
}

function element(tag, text, className) {
  const made = document.createElement(tag);
  if (text !== undefined && text !== null) made.textContent = text;
  if (className) made.className = className;
  return made;
}

const TO_THE_LEFT = new RegExp(["Hebrew", "Arabic", "Syriac", "Thaana", "Nko", "Adlam"]
  .map((script) => `\\p{Script=${script}}`).join("|"), "gu");

// Most letters decide how words are read: a name in other letters may stand in front.
function direction(text) {
  const count = (letters) => text.match(letters)?.length ?? 0;
  return 2 * count(TO_THE_LEFT) > count(/\p{L}/gu) ? "rtl" : "ltr";
}

// A text in a language of its own, which decides the direction it is read in.
function foreign(tag, text, className, whole = text) {
  const made = element(tag, text, className);
  made.dir = direction(whole ?? "") === "rtl" ? "rtl" : "auto";
  return made;
}

// A system's symbol in its colour, as in the plots, but as dark or light as text has to be.
function signOf(system) {
  const made = element("span", data.signs[system], "sign");
  made.style.color = `color-mix(in srgb, ${data.colours[system]} 65%, var(--ink))`;
  return made;
}

// Whoever opens a part of one segment wants to see it of the next one, too.
function openable(name, summary) {
  const made = element("details");
  made.open = state.opened.has(name);
  made.addEventListener("toggle", () => {
    if (made.open) state.opened.add(name);
    else state.opened.delete(name);
  });
  made.append(element("summary", summary));
  return made;
}

const shownText = (cut) => cut.replaceAll(CUT, "");
const tokens = (cut) => cut.split(/[ \u001f]+/).filter((word) => word !== "");
// NaN for a segment that has no score, which sorts and draws as nothing.
const score = (system, segment, metric = state.metric) => {
  const { segments, decimals } = data.metrics[metric];
  const value = segments[system][segment];
  return value === null ? NaN : value / 10 ** decimals;
};
// Where segments are put in order, those without a score or a rating come last.
const last = (value) => (Number.isNaN(value) ? Infinity : value);
const shownScore = (system, segment, fewer = 0) => {
  const value = score(system, segment);
  return Number.isNaN(value) ? "–" : value.toFixed(data.metrics[state.metric].decimals - fewer);
};
async function unpacked() {
  const packed = atob(byId("payload").textContent.trim());
  const bytes = new Uint8Array(packed.length);
  for (let i = 0; i < packed.length; i++) bytes[i] = packed.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}
