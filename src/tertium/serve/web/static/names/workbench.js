// Marking names: select, digit, next. By keyboard alone, by mouse, or by touch.
import { call } from "../forms.js";
import { Segment, draw } from "./layout.js";
import { Saving } from "./saving.js";
import { Side } from "./side.js";

const bench = document.getElementById("bench");
const { api, annotator, document: article } = bench.dataset;
const editable = bench.dataset.editable === "yes";
const types = JSON.parse(bench.dataset.types);
const list = document.getElementById("segments");
const palette = document.getElementById("types");
const query = new URLSearchParams({ annotator, start: bench.dataset.start, limit: bench.dataset.limit });
if (article) query.set("document", article);

let segments = [];
let current = 0;
let anchor = 0;  // the word where a choice began
let focus = 0;   // the word where it ends
let picked = null;
let exact = false;  // picked to the character, not word by word
const done = [];  // for undo

const tint = (type) => `t${Math.min(types.indexOf(type) + 1 || 9, 9)}`;
const boxes = () => [...list.querySelectorAll(".words")];

function show(place) {
  const box = boxes()[place];
  if (box) draw(box, segments[place], place === current ? picked : null, tint);
}

function go(place, { word = 0, scroll = true } = {}) {
  if (!segments.length) return;
  const before = current;
  current = Math.max(0, Math.min(place, segments.length - 1));
  pick(word, word);
  if (before !== current) show(before);
  for (const [k, row] of [...list.children].entries()) row.classList.toggle("current", k === current);
  if (scroll) list.children[current].scrollIntoView({ block: "nearest" });
  side.at(segments[current].number);
}

function pick(from, to) {
  const words = segments[current].words;
  anchor = Math.max(0, Math.min(from, words.length - 1));
  focus = Math.max(0, Math.min(to, words.length - 1));
  const [first, last] = anchor < focus ? [anchor, focus] : [focus, anchor];
  exact = false;
  take(words.length ? { start: words[first].start, end: words[last].end } : null);
}

function take(span) {
  picked = span;
  show(current);
  const some = picked && editable;
  for (const button of palette.querySelectorAll("button[data-type]")) button.disabled = !some;
  document.getElementById("remove").disabled = !(some && segments[current].namesAt(picked.start, picked.end).length);
  document.getElementById("chosen").textContent =
    picked ? segments[current].surface(picked.start, picked.end) : "";
}

function keep(changes, undo) {
  for (const one of changes) apply(one);
  if (undo) done.push(undo);
  take(picked);
  saving.add(changes);
}

function apply(change) {
  const segment = segments.find((one) => one.number === change.segment);
  const same = (one, type) => one.start === change.start && one.end === change.end && one.type === type;
  if (change.action !== "add") {
    const gone = change.action === "retype" ? change.was : change.type;
    segment.names = segment.names.filter((one) => !same(one, gone));
  }
  if (change.action !== "remove") {
    segment.names.push({ ...change });
    segment.names.sort((a, b) => a.start - b.start || b.end - a.end);
    segment.guesses = segment.guesses.filter((one) => one.end <= change.start || change.end <= one.start);
  }
  show(segments.indexOf(segment));
}

function mark(type) {
  if (!editable || !picked || !type) return;
  const segment = segments[current];
  const span = segment.trimmed(picked.start, picked.end);
  if (!span) return;
  const guess = segment.guesses.find((one) => one.start < span.end && span.start < one.end);
  // A name under the cursor, or exactly what is picked, gets another type.
  const inside = segment.names.filter((one) => one.start <= span.start && span.end <= one.end);
  const word = anchor === focus && !exact;
  const old = inside.find((one) => one.start === span.start && one.end === span.end)
    ?? (word ? inside.at(-1) : undefined);
  if (old?.type === type) return;
  const { start, end } = old ?? (word ? guess : undefined) ?? span;
  const place = { segment: segment.number, start, end };
  if (old) {
    keep([{ ...place, action: "retype", type, was: old.type, origin: "hand" }],
      [{ ...place, action: "retype", type: old.type, was: type, origin: "hand" }]);
  } else {
    const origin = guess && guess.start === place.start && guess.end === place.end ? guess.origin : "hand";
    keep([{ ...place, action: "add", type, origin }], [{ ...place, action: "remove", type, origin: "hand" }]);
  }
}

function remove() {
  if (!editable || !picked) return;
  const segment = segments[current];
  const old = segment.namesAt(picked.start, picked.end).at(-1);
  if (!old) return;
  const place = { segment: segment.number, start: old.start, end: old.end, type: old.type, origin: "hand" };
  keep([{ ...place, action: "remove" }], [{ ...place, action: "add" }]);
}

function undo() {
  const last = done.pop();
  if (last) keep(last);
}

function accept() {
  const guess = picked && segments[current].guessAt(picked.start, picked.end);
  if (!guess) return;
  exact = true;
  take({ start: guess.start, end: guess.end });
  mark(guess.type);
  next(1, true);
}

// The next name, or the next guess alone.
function next(step, guesses = false) {
  const places = segments.flatMap((segment, k) => [...(guesses ? [] : segment.names), ...segment.guesses]
    .map((one) => ({ k, start: one.start, end: one.end })))
    .sort((a, b) => a.k - b.k || a.start - b.start);
  const at = picked?.start ?? -1;
  const later = step > 0
    ? places.find((one) => one.k > current || (one.k === current && one.start > at))
    : places.findLast((one) => one.k < current || (one.k === current && one.start < at));
  if (!later) return;
  const words = segments[later.k].words;
  const first = words.findIndex((one) => one.end > later.start);
  go(later.k, { word: first });
  anchor = first;
  focus = Math.max(first, words.findLastIndex((one) => one.start < later.end));
  exact = true;
  take({ start: later.start, end: later.end });
}

function onward(event, forward) {
  const rightToLeft = getComputedStyle(boxes()[current]).direction === "rtl";
  const step = forward !== rightToLeft ? 1 : -1;
  if (event.altKey && picked) {  // one character more or fewer
    const end = Math.max(picked.start + 1, Math.min(picked.end + step, segments[current].points.length));
    exact = true;
    take({ start: picked.start, end });
  } else if (event.shiftKey) {
    pick(anchor, focus + step);
  } else {
    pick(focus + step, focus + step);
  }
}

const KEYS = {
  ArrowDown: () => go(current + 1), j: () => go(current + 1),
  ArrowUp: () => go(current - 1), k: () => go(current - 1),
  ArrowRight: (event) => onward(event, true), ArrowLeft: (event) => onward(event, false),
  n: () => next(1), N: () => next(-1), Enter: accept, u: undo,
  Delete: remove, Backspace: remove, 0: remove,
  "?": () => { const keys = document.getElementById("keys"); keys.open = !keys.open; },
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea, summary")) return;
  if (event.key === "Enter" && event.target.closest("button, a")) return;
  const type = /^[1-9]$/.test(event.key) ? types[Number(event.key) - 1] : null;
  const action = type ? () => mark(type) : KEYS[event.key];
  if (!action || !segments.length) return;
  event.preventDefault();
  action(event);
});

// A tap takes a word, a second one in the same segment all between them.
list.addEventListener("click", (event) => {
  const row = event.target.closest("li");
  if (!row || !getSelection().isCollapsed) return;
  const place = [...list.children].indexOf(row);
  const piece = event.target.closest(".piece");
  const word = piece ? segments[place].words.findIndex((one) => one.end > Number(piece.dataset.start)) : 0;
  if (place === current && event.shiftKey) pick(anchor, word);
  else if (place === current && tapped && anchor === focus && word !== anchor) pick(anchor, word);
  else go(place, { word, scroll: false });
  tapped = anchor === focus;
});
let tapped = false;

// Text that was selected by dragging, to the character.
document.addEventListener("selectionchange", () => {
  const selection = getSelection();
  if (selection.isCollapsed || !selection.rangeCount) return;
  const range = selection.getRangeAt(0);
  const box = range.startContainer.parentElement?.closest(".words");
  if (!box || !box.contains(range.endContainer)) return;
  dragged = { place: boxes().indexOf(box), start: offset(range.startContainer, range.startOffset), end: offset(range.endContainer, range.endOffset) };
});
let dragged = null;

function offset(node, units) {
  const piece = node.parentElement.closest(".piece") ?? node;
  const text = (node.textContent ?? "").slice(0, units);
  return Number(piece.dataset?.start ?? 0) + [...text].length;
}

document.addEventListener("pointerup", () => setTimeout(() => {
  if (!dragged || getSelection().isCollapsed) { dragged = null; return; }
  const { place, start, end } = dragged;
  dragged = null;
  const span = segments[place]?.trimmed(start, end);
  if (!span) return;
  getSelection().removeAllRanges();
  const words = segments[place].words;
  go(place, { word: words.findIndex((one) => one.end > span.start), scroll: false });
  focus = words.findLastIndex((one) => one.start < span.end);
  exact = true;
  take(span);
}));

palette.addEventListener("click", (event) => {
  const type = event.target.closest("button")?.dataset.type;
  if (type) mark(type);
});
document.getElementById("article")?.addEventListener("change", (event) => location.assign(event.target.value));
document.getElementById("remove").addEventListener("click", remove);
document.getElementById("undo").addEventListener("click", undo);
document.getElementById("other").addEventListener("submit", (event) => {
  event.preventDefault();
  const field = event.target.elements.type;
  if (!field.reportValidity()) return;
  if (!types.includes(field.value)) types.push(field.value);
  mark(field.value);
  field.blur();
});

const side = new Side(bench, api, query, (found) => {
  for (const segment of segments) segment.guesses = found.filter((one) => one.segment === segment.number);
  for (const place of segments.keys()) show(place);
});
document.getElementById("accept").addEventListener("click", () => {
  const changes = segments.flatMap((segment) => segment.guesses.map(({ source, ...one }) => ({ ...one, action: "add" })));
  if (changes.length) keep(changes, changes.map((one) => ({ ...one, action: "remove", origin: "hand" })));
});

const saving = new Saving(`${api}/changes?${new URLSearchParams({ annotator })}`,
  document.getElementById("saving"), (answer, last) => {
    if (answer === null) load();  // refused: show what the server has
    else if (last) side.update();
  });

async function load() {
  const found = await call("GET", `${api}?${query}`);
  segments = found.segments.map((one) => new Segment(one));
  list.replaceChildren(...segments.map((segment) => {
    const row = document.createElement("li");
    const number = document.createElement("span");
    const box = document.createElement("p");
    number.className = "number";
    number.textContent = segment.number + 1;
    box.className = "words";
    box.dir = segment.direction;
    row.dataset.segment = segment.number;
    row.append(number, box);
    return row;
  }));
  for (const place of segments.keys()) show(place);
  const wanted = Number(new URLSearchParams(location.search).get("segment") ?? 0) - 1;
  go(Math.max(0, segments.findIndex((one) => one.number === wanted)), { scroll: wanted > 0 });
  await side.update();
  document.documentElement.dataset.ready = "yes";
}
load();
