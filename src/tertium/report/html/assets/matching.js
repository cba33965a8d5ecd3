// What output and reference have in common, word by word.

// For every token the length, up to 4, of the longest n-gram it is in that the other side has.
function matchLengths(words, others) {
  const result = new Array(words.length).fill(0);
  for (let n = 1; n <= 4; n++) {
    const known = new Set();
    for (const other of others) {
      for (let i = 0; i + n <= other.length; i++) known.add(other.slice(i, i + n).join(" "));
    }
    for (let i = 0; i + n <= words.length; i++) {
      if (known.has(words.slice(i, i + n).join(" "))) result.fill(n, i, i + n);
    }
  }
  return result;
}

function highlighted(cut, others) {
  const words = tokens(cut);
  const lengths = matchLengths(words, others);
  const made = foreign("p", null, "text", cut);
  let place = 0;
  words.forEach((word, i) => {
    const start = cut.indexOf(word, place);
    made.append(shownText(cut.slice(place, start)));
    const long = lengths[i] ? element("span", word, `m${lengths[i]}`) : word;
    if (lengths[i]) long.title = `part of ${lengths[i]} matching word${lengths[i] > 1 ? "s" : ""}`;
    made.append(long);
    place = start + word.length;
  });
  if (!words.length) made.append(element("em", "(empty)"));
  return made;
}

// Fewest substitutions, insertions and deletions (Levenshtein 1966), traced back.
function edits(words, reference) {
  const width = reference.length + 1;
  const cost = new Int32Array((words.length + 1) * width);
  for (let i = 0; i <= words.length; i++) {
    for (let j = 0; j < width; j++) {
      const at = i * width + j;
      if (i === 0 || j === 0) { cost[at] = i + j; continue; }
      const swap = cost[at - width - 1] + (words[i - 1] === reference[j - 1] ? 0 : 1);
      cost[at] = Math.min(swap, cost[at - width] + 1, cost[at - 1] + 1);
    }
  }
  const steps = [];
  let i = words.length, j = reference.length;
  while (i || j) {
    const at = i * width + j;
    const same = i && j && words[i - 1] === reference[j - 1];
    if (i && j && cost[at] === cost[at - width - 1] + (same ? 0 : 1)) {
      steps.push([same ? "" : "S", words[--i], reference[--j]]);
    } else if (i && cost[at] === cost[at - width] + 1) {
      steps.push(["I", words[--i], ""]);
    } else {
      steps.push(["D", "", reference[--j]]);
    }
  }
  return steps.reverse();
}

const KINDS = { S: "another word", I: "not in the reference", D: "left out", T: "same stem",
                Y: "synonym", P: "paraphrase" };
const COUNTED = { S: ["substitution", "substitutions"], I: ["insertion", "insertions"],
                  D: ["deletion", "deletions"], T: ["same stem", "same stems"],
                  Y: ["synonym", "synonyms"], P: ["paraphrase", "paraphrases"] };

// The grid runs the way the text is read; each word keeps its own direction.
function grid(pairs) {
  const made = element("div", null, "edits");
  made.dir = direction(pairs.flatMap((pair) => [pair.above, pair.below]).join(" "));
  for (const { kind, above, below, shift, note } of pairs) {
    const pair = element("span", null, `pair ${kind === "=" ? "" : kind}${shift ? " moved" : ""}`);
    const titles = [KINDS[kind], shift ? `moved by shift ${shift}` : "", note].filter(Boolean);
    if (titles.length) pair.title = titles.join(", ");
    pair.append(element("bdi", above || "∅"), element("bdi", below || "∅"));
    if (shift) pair.append(element("small", `⇄ ${shift}`));
    if (note) pair.append(element("small", note));
    made.append(pair);
  }
  return made;
}

// What the colours of a grid mean, and how often each is there.
function gridLegend(pairs, shifts) {
  const made = element("p", null, "remark legend");
  for (const [kind, [one, many]] of Object.entries(COUNTED)) {
    const count = pairs.filter((pair) => pair.kind === kind).length;
    if (count) made.append(element("span", `${count} ${count > 1 ? many : one}`, `pair ${kind}`));
  }
  if (shifts) made.append(element("span", `${shifts} ${shifts > 1 ? "shifts" : "shift"} ⇄`, "pair moved"));
  if (!made.childElementCount) made.append("No edits.");
  return made;
}

// How the metric itself aligns the words.
function pictureView(picture, number, count) {
  const made = element("div");
  const pairs = [...picture.kinds].map((kind, i) => ({
    kind, above: picture.above[i], below: picture.below[i], shift: picture.shift?.[i] ?? 0,
    note: picture.notes?.[i] ?? "" }));
  if (count > 1) {
    made.append(element("p", `Reference ${number + 1}` +
      (picture.uncounted ? "" : ": the score is made from this one"), "remark"));
  }
  made.append(gridLegend(pairs, picture.shifts ?? 0), grid(pairs));
  return made;
}

// The fewest edits, for metrics that align no words themselves.
function editView(words, reference) {
  if (words.length * reference.length > LONGEST_ALIGNMENT * LONGEST_ALIGNMENT) {
    return element("p", "Too long to be aligned here.", "remark");
  }
  const pairs = edits(words, reference).map(([kind, below, above]) =>
    ({ kind: kind || "=", above, below }));
  const made = element("div");
  made.append(gridLegend(pairs, 0), grid(pairs));
  return made;
}
