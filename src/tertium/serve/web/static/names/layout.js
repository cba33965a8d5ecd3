// A segment as pieces: cut at the ends of words, names, guesses and what is picked.
// Places count code points, as the server does; the browser counts UTF-16 units.

const words = new Intl.Segmenter(undefined, { granularity: "word" });

export class Segment {
  constructor(record) {
    this.number = record.segment;
    this.text = record.text;
    this.direction = record.direction;
    this.names = record.names;
    this.guesses = [];
    this.points = [...this.text];
    this.units = [0];
    for (const one of this.points) this.units.push(this.units.at(-1) + one.length);
    this.words = [];
    for (const one of words.segment(this.text)) {
      if (!one.segment.trim()) continue;
      this.words.push({ start: this.point(one.index), end: this.point(one.index + one.segment.length) });
    }
  }

  point(unit) {
    let low = 0, high = this.units.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.units[middle] < unit) low = middle + 1; else high = middle;
    }
    return low;
  }

  surface(start, end) { return this.points.slice(start, end).join(""); }

  // Without blanks at its ends; null where nothing is left.
  trimmed(start, end) {
    while (start < end && !this.points[start].trim()) start += 1;
    while (end > start && !this.points[end - 1].trim()) end -= 1;
    return start < end ? { start, end } : null;
  }

  namesAt(start, end) { return this.names.filter((one) => one.start < end && start < one.end); }

  guessAt(start, end) { return this.guesses.find((one) => one.start < end && start < one.end); }
}

export function draw(box, segment, picked, tint) {
  const edges = new Set([0, segment.points.length]);
  for (const one of [...segment.words, ...segment.names, ...segment.guesses, ...(picked ? [picked] : [])]) {
    edges.add(one.start);
    edges.add(one.end);
  }
  const order = [...edges].sort((a, b) => a - b);
  const pieces = [];
  for (let k = 0; k + 1 < order.length; k += 1) {
    pieces.push(piece(segment, order[k], order[k + 1], picked, tint));
  }
  box.replaceChildren(...pieces);
}

function piece(segment, start, end, picked, tint) {
  const span = document.createElement("span");
  span.className = "piece";
  span.dataset.start = start;
  span.dataset.end = end;
  span.textContent = segment.surface(start, end);
  const over = segment.namesAt(start, end);
  if (over.length) {
    const inner = over.at(-1);
    span.classList.add("named", tint(inner.type));
    if (over.length > 1) span.classList.add("nested");
    if (inner.start === start) span.classList.add("from");
    const ending = over.filter((one) => one.end === end);
    if (ending.length) {
      span.classList.add("to");
      span.dataset.label = ending.map((one) => one.type).join(" + ");
    }
    span.title = over.map((one) => `${one.type}: ${segment.surface(one.start, one.end)} (${one.origin})`).join("\n");
  }
  const guess = segment.guessAt(start, end);
  if (guess) {
    span.classList.add("guess");
    span.title = `${guess.type}? from ${guess.source}`;
    if (guess.end === end) {
      span.classList.add("to");
      span.dataset.label = `${guess.type}?`;
    }
  }
  if (picked && picked.start <= start && end <= picked.end) span.classList.add("picked");
  return span;
}
