// Which segments are listed: by words, slices and scores, by what they hold and who lost it, by the
// difference of B and A, and by band. The address has what is chosen, so that a link is a saved filter.

const DIGITS = /\p{Nd}+(?:[.,'’\u00a0\u202f]\p{Nd}+)*/gu;
// The digits of a script follow each other from its zero; sets of them, where they touch, too.
const digit = (one) => {
  let zero = one.codePointAt(0);
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return (one.codePointAt(0) - zero) % 10;
};
// Numbers without their separators, which languages write differently.
const numbersOf = (text) => new Set((text.match(DIGITS) ?? []).map((number) =>
  [...number].filter((one) => /\p{Nd}/u.test(one)).map(digit).join("")));

// What every reference of a segment has.
function expectedNumbers(segment) {
  const [first, ...rest] = data.references[segment].map((cut) => numbersOf(shownText(cut)));
  return [...(first ?? [])].filter((number) => rest.every((others) => others.has(number)));
}

const termsOf = (text) => text.split(",").map((term) => term.trim().toLowerCase()).filter(Boolean);

// What is looked for in a segment, and whether a system's output has it: name → [things, has].
const HELD = {
  number: (segment) => [expectedNumbers(segment), (number, system) =>
    numbersOf(shownText(data.hypotheses[segment][system])).has(number)],
  name: (segment) => [data.entities?.of[segment] ?? [], ([, , found], system) => found[system] === "1"],
  term: (segment) => {
    const known = data.references[segment].map((cut) => shownText(cut).toLowerCase());
    return [termsOf(byId("term").value).filter((term) => known.some((text) => text.includes(term))),
      (term, system) => shownText(data.hypotheses[segment][system]).toLowerCase().includes(term)];
  },
};

// Segments whose source, or first reference where there is none, stands there more than once.
let repeated = null;
function isRepeated(segment) {
  const text = (i) => (data.sources ? data.sources[i] : shownText(data.references[i][0] ?? ""));
  if (!repeated) {
    const counts = new Map();
    data.references.forEach((_, i) => counts.set(text(i), (counts.get(text(i)) ?? 0) + 1));
    repeated = data.references.map((_, i) => counts.get(text(i)) > 1);
  }
  return repeated[segment];
}

const LOST = {
  "": () => true,
  a: (first) => first,
  b: (first, second) => second,
  "only-a": (first, second) => first && !second,
  "only-b": (first, second) => second && !first,
  both: (first, second) => first && second,
};

function holds(segment, kind, lost) {
  const [first, second] = [state.first, state.second]
    .map((system) => shownText(data.hypotheses[segment][system] ?? ""));
  if (kind === "repeated") return isRepeated(segment);
  if (kind === "same") return first === second;
  if (kind === "different") return first !== second;
  if (kind === "copied") return data.references[segment].some((cut) => shownText(cut) === first);
  const [things, has] = HELD[kind](segment);
  if (!things.length) return false;
  const lacks = (system) => things.some((thing) => !has(thing, system));
  return LOST[lost](lacks(state.first), lacks(state.second));
}

function selected() {
  const wanted = byId("search").value.toLowerCase();
  const low = parseFloat(byId("low").value);
  const high = parseFloat(byId("high").value);
  const gains = [parseFloat(byId("gain-low").value), parseFloat(byId("gain-high").value)];
  const [kind, lost] = [byId("holds").value, byId("lost").value];
  const slices = [...document.querySelectorAll("select.slice")]
    .filter((one) => one.value !== "")
    .map((one) => [data.slices[Number(one.dataset.slice)].of, Number(one.value)]);
  const found = [];
  for (let i = 0; i < haystacks.length; i++) {
    if (wanted && !haystacks[i].includes(wanted)) continue;
    if (slices.some(([of, label]) => of[i] !== label)) continue;
    const value = score(state.first, i);
    if (value < low || value > high) continue;
    if (!Number.isNaN(gains[0]) && !(-gain(i) >= gains[0])) continue;
    if (!Number.isNaN(gains[1]) && !(-gain(i) <= gains[1])) continue;
    if (state.band && bandOf(state[state.band.of], i) !== state.band.name) continue;
    if (kind && !holds(i, kind, lost)) continue;
    found.push(i);
  }
  return found;
}

const FILTERS = { search: "search", order: "order", low: "from", high: "to", "gain-low": "gain-from",
                  "gain-high": "gain-to", holds: "holds", term: "term", lost: "lost" };

function clearFilters() {
  for (const name of Object.keys(FILTERS)) if (name !== "order") byId(name).value = "";
  for (const one of document.querySelectorAll("select.slice")) one.value = "";
  state.band = null;
}

// Filters as parts of the address, only those that are set.
function addFilters(view) {
  for (const [id, name] of Object.entries(FILTERS)) {
    const { value } = byId(id);
    if (value && !(id === "order" && value === "number")) view.set(name, value);
  }
  for (const one of document.querySelectorAll("select.slice")) {
    const slice = data.slices[Number(one.dataset.slice)];
    if (one.value !== "") view.set(slice.by, slice.labels[Number(one.value)]);
  }
  if (state.band) view.set("band", `${state.band.of === "first" ? "a" : "b"}-${state.band.name}`);
}

function recallFilters(view) {
  clearFilters();
  for (const [id, name] of Object.entries(FILTERS)) {
    const field = byId(id);
    if (!view.has(name)) { if (id === "order") field.value = "number"; continue; }
    field.value = view.get(name);
    if (field.tagName === "SELECT" && field.selectedIndex < 0) field.selectedIndex = 0;
  }
  for (const one of document.querySelectorAll("select.slice")) {
    const { by, labels } = data.slices[Number(one.dataset.slice)];
    if (labels.includes(view.get(by))) one.value = String(labels.indexOf(view.get(by)));
  }
  const [, side, name] = view.get("band")?.match(/^([ab])-(poor|fair|good)$/) ?? [];
  if (name) state.band = { of: side === "a" ? "first" : "second", name };
}

// The fields that belong to what is chosen in another.
function showFields() {
  const kind = byId("holds").value;
  byId("term").closest("label").hidden = kind !== "term";
  byId("lost").closest("label").hidden = !(kind in HELD) || data.systems.length < 2;
}
