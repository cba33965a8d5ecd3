// Words and phrases that only one of A and B has right, as tertium compare counts them.

const PRIOR = 5; // differences each way that are taken for granted
const TOP = 10;
let wordsShown = "";

function gramCounts(words, low, high) {
  const counts = new Map();
  for (let n = low; n <= high; n++) {
    for (let i = 0; i + n <= words.length; i++) {
      const gram = words.slice(i, i + n).join(CUT);
      counts.set(gram, (counts.get(gram) ?? 0) + 1);
    }
  }
  return counts;
}

// How often each n-gram is right, clipped by the reference that has most of it.
function rightGrams(words, expected, low, high) {
  const right = new Map();
  for (const [gram, count] of gramCounts(words, low, high)) {
    const most = Math.min(count, expected.get(gram) ?? 0);
    if (most) right.set(gram, most);
  }
  return right;
}

function gramDifferences(first, second, low, high) {
  const gained = new Map(), lost = new Map();
  const add = (counts, gram, count) => counts.set(gram, (counts.get(gram) ?? 0) + count);
  data.references.forEach((references, segment) => {
    const expected = new Map();
    for (const reference of references) {
      for (const [gram, count] of gramCounts(tokens(reference), low, high)) {
        expected.set(gram, Math.max(count, expected.get(gram) ?? 0));
      }
    }
    const [before, after] = [first, second].map((system) =>
      rightGrams(tokens(data.hypotheses[segment][system]), expected, low, high));
    for (const [gram, count] of after) {
      const more = count - (before.get(gram) ?? 0);
      if (more > 0) add(gained, gram, more);
    }
    for (const [gram, count] of before) {
      const more = count - (after.get(gram) ?? 0);
      if (more > 0) add(lost, gram, more);
    }
  });
  return { gained: ranked(gained, lost), lost: ranked(lost, gained) };
}

// The largest log-odds first; what stands inside a longer n-gram with the same counts is left out.
function ranked(more, less) {
  const found = [];
  for (const [gram, count] of more) {
    const other = less.get(gram) ?? 0;
    if (count > other) {
      found.push({ words: gram.split(CUT), count, other, gram,
                   odds: Math.log((count + PRIOR) / (other + PRIOR)) });
    }
  }
  found.sort((a, b) => b.odds - a.odds || b.count + b.other - a.count - a.other ||
    b.words.length - a.words.length || (a.gram < b.gram ? -1 : 1));
  const kept = [];
  const inside = (longer, one) => longer.count === one.count && longer.other === one.other &&
    `${CUT}${longer.gram}${CUT}`.includes(`${CUT}${one.gram}${CUT}`);
  for (const one of found) {
    if (kept.length === TOP) break;
    if (!kept.some((longer) => inside(longer, one))) kept.push(one);
  }
  return kept;
}

function fillGrams(name, grams, gained) {
  const body = byId(`grams-${name}`).tBodies[0];
  body.replaceChildren(...grams.map(({ words, count, other }) => {
    const line = element("tr");
    line.append(foreign("td", words.join(" ")), element("td", gained ? count : other),
                element("td", gained ? other : count));
    return line;
  }));
  if (grams.length) return;
  const none = element("td", "none");
  none.colSpan = 3;
  body.insertRow().append(none);
}

// The page comes with the words of the pair that it opens with.
function showWords() {
  const pair = `${state.first}:${state.second}`;
  if (!wordsShown) wordsShown = `0:${data.rival}`;
  if (wordsShown === pair) return;
  wordsShown = pair;
  byId("words-first").textContent = data.systems[state.first];
  byId("words-second").textContent = data.systems[state.second];
  for (const [name, low, high] of [["words", 1, 1], ["phrases", 2, 4]]) {
    const { gained, lost } = gramDifferences(state.first, state.second, low, high);
    fillGrams(`${name}-gained`, gained, true);
    fillGrams(`${name}-lost`, lost, false);
  }
}
