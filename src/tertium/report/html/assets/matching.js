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
  const made = element("p", null, "text");
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

function editView(words, reference) {
  if (words.length * reference.length > LONGEST_ALIGNMENT * LONGEST_ALIGNMENT) {
    return element("p", "Too long to be aligned here.", "remark");
  }
  const kinds = { S: "another word", I: "not in the reference", D: "left out" };
  const made = element("div", null, "edits");
  for (const [kind, word, other] of edits(words, reference)) {
    const pair = element("span", null, `pair ${kind}`);
    if (kind) pair.title = kinds[kind];
    pair.append(element("span", other || "∅"), element("span", word || "∅"));
    made.append(pair);
  }
  return made;
}
