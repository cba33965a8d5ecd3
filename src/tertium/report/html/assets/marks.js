// Errors that people marked: in the text with a number, and below it in words.

// The text in pieces, each with the numbers of the marks that cover it.
function markedPieces(text, marks) {
  const ends = new Set([0, text.length]);
  for (const [start, end] of marks) if (start !== null) ends.add(start).add(end);
  const order = [...ends].sort((a, b) => a - b);
  return order.slice(1).map((end, i) => {
    const start = order[i];
    const over = [];
    marks.forEach(([from, to], k) => {
      if (from !== null && from <= start && end <= to) over.push(k);
    });
    return { text: text.slice(start, end), over, last: over.filter((k) => marks[k][1] === end) };
  });
}

const HEAVIEST = ["critical", "major", "minor", "neutral"];
const severityClass = (names) =>
  `error ${HEAVIEST.find((one) => names.includes(one)) ?? "neutral"}`;
const errorWords = ([, , severity, category]) => [severity, category].filter(Boolean).join(": ");

// Neither colour nor pointer is needed: each mark has a number, and the list has its words.
function markedText(text, marks) {
  const made = foreign("p", null, "text marked", text);
  for (const { text: piece, over, last: closing } of markedPieces(text, marks)) {
    if (!over.length) { made.append(piece); continue; }
    const mark = element("mark", piece, severityClass(over.map((k) => marks[k][2])));
    mark.title = over.map((k) => errorWords(marks[k])).join("; ");
    made.append(mark);
    for (const k of closing) made.append(element("sup", k + 1));
  }
  if (!text) made.append(element("em", "(empty)"));
  return made;
}

function markedList(marks) {
  const made = element("ol", null, "errors");
  for (const mark of marks) {
    const line = element("li", errorWords(mark) || "error");
    if (mark[0] === null) {
      line.append(mark[4] ? ", in the source: " : ", without a place in the text");
      if (mark[4]) line.append(element("bdi", mark[4]));
    }
    made.append(line);
  }
  return made;
}

// Errors that a rater marked on the average; none where nobody looked.
function errorCount(system, segment) {
  const looks = data.spans?.marks[`${system}:${segment}`];
  if (!looks) return NaN;
  return looks.reduce((sum, [, , marks]) => sum + marks.length, 0) / looks.length;
}

// What every rater marked in one output.
function markedErrors(letter, system, segment) {
  const key = `${system}:${segment}`;
  const looks = data.spans?.marks[key];
  if (!looks) return null;
  const text = data.spans.texts[key] ?? shownText(data.hypotheses[segment][system]);
  const count = looks.reduce((sum, [, , marks]) => sum + marks.length, 0);
  const made = openable(`marks ${letter}`,
    `Marked by ${looks.length} ${looks.length > 1 ? "people" : "person"}: ` +
    `${count} ${count === 1 ? "error" : "errors"}`);
  for (const [rater, score, marks] of looks) {
    const line = element("p", null, "who");
    line.append(element("bdi", data.spans.raters[rater], "name"),
      marks.length ? "" : ": no error", score === null ? "" : ` · ${score}`);
    made.append(line);
    if (marks.length) made.append(markedText(text, marks), markedList(marks));
  }
  return made;
}
