// One segment: texts, what matches, what became of names, and why the score is what it is.

function partsTable(pairs) {
  const table = element("table", null, "parts");
  for (const cells of pairs) {
    const line = element("tr");
    for (const cell of cells) line.append(element("td", cell === null ? "" : String(cell)));
    table.append(line);
  }
  const frame = element("div", null, "wide");
  frame.append(table);
  return frame;
}

function why(letter, system, segment) {
  const metric = data.metrics[state.metric];
  const made = openable(`why ${letter}`,
    `Why ${shownScore(system, segment)} ${metric.title}?`);
  const explained = data.explained[metric.spec]?.[`${system}:${segment}`];
  if (explained) {
    const [parts, trace] = explained;
    made.append(partsTable(parts.map(([name, ...rest]) => [name.replaceAll("_", " "), ...rest])));
    if (trace.length) {
      const block = element("pre", trace.join("\n"));
      block.dir = "auto"; // line by line
      block.tabIndex = 0; // so that keys can scroll it
      made.append(block);
    }
  } else {
    if (metric.rows) {
      made.append(partsTable(metric.columns.map((name, k) => {
        const column = metric.rows[k];
        return [name.replaceAll("_", " "), column.values[system][segment] / column.scale];
      })));
    }
    made.append(element("p", "Word by word: tertium explain … " +
      `-m '${metric.spec}' --segment ${segment + 1}`, "remark"));
  }
  return made;
}

function entityList(system, segment) {
  const types = new Map();
  for (const [type, name, found] of data.entities?.of[segment] ?? []) {
    if (!types.has(type)) types.set(type, []);
    types.get(type).push([name, found[system] === "1"]);
  }
  const made = element("ul", null, "entities");
  made.setAttribute("aria-label", "Names");
  const place = data.entities?.unit;
  for (const [type, names] of types) {
    const line = element("li", `${type} `);
    for (const [name, found] of names) {
      const one = element("span", `${found ? "✓" : "✗"} `, found ? "found" : "missed");
      one.append(element("bdi", name));
      one.title = found ? `found in the ${place}` : `not found in the ${place}`;
      line.append(one, " ");
    }
    made.append(line);
  }
  return made;
}

function output(letter, system, segment, references) {
  const part = element("div");
  const cut = data.hypotheses[segment][system];
  const head = element("h3");
  const name = element("span", letter);
  name.append(signOf(system), element("bdi", data.systems[system]));
  head.append(name);
  const metric = data.metrics[state.metric];
  const numbers = [`${metric.title} ${shownScore(system, segment)}`];
  for (const one of data.ratings) {
    const rating = one.values[system]?.[segment];
    if (rating !== null && rating !== undefined) numbers.push(`${one.criterion} ${rating}`);
  }
  head.append(element("span", numbers.join(" · ")));
  part.append(head, highlighted(cut, references));
  const marked = markedErrors(letter, system, segment);
  if (marked) part.append(marked);
  if (data.entities?.of[segment].length) part.append(entityList(system, segment));
  const aligned = alignment(letter, system, segment, references);
  if (aligned) part.append(aligned);
  part.append(why(letter, system, segment));
  return part;
}

// The metric's own alignment; of one that aligns nothing the fewest edits, for reading only.
function alignment(letter, system, segment, references) {
  const metric = data.metrics[state.metric];
  const pictures = data.explained[metric.spec]?.[`${system}:${segment}`]?.[2];
  if (metric.aligns && !pictures?.length) return null;
  const made = openable(`edits ${letter}`, metric.aligns ? `Words as ${metric.title} aligns them`
                                                         : "Edits beside each reference");
  made.addEventListener("toggle", () => {
    if (!made.open || made.childElementCount > 1) return;
    made.append(element("p", "The reference stands above, the output below." + (metric.aligns ? ""
      : ` ${metric.title} aligns no words; these are the fewest edits, for reading.`), "remark"));
    if (metric.aligns) {
      pictures.forEach((one, i) => made.append(pictureView(one, i, pictures.length)));
    } else {
      const words = tokens(data.hypotheses[segment][system]);
      for (const one of references) made.append(editView(words, one));
    }
  });
  return made;
}

function showDetail() {
  const segment = state.chosen;
  const detail = byId("detail");
  const references = data.references[segment].map(tokens);
  const pair = data.systems.length > 1 ? [state.first, state.second] : [state.first];
  const parts = [];
  const labels = data.slices.filter((one) => one.by !== "length")
    .map((one) => one.labels[one.of[segment]]);
  if (data.ids) labels.unshift(data.ids[segment]);
  parts.push(element("h3", [`Segment ${segment + 1}`, ...labels].join(" · ")));
  if (data.sources) {
    parts.push(element("h3", "Source"), foreign("p", data.sources[segment], "text"));
  }
  data.references[segment].forEach((cut, i) => {
    const many = data.references[segment].length > 1;
    parts.push(element("h3", many ? `Reference ${i + 1}` : "Reference"));
    const chosen = pair.map((system) => tokens(data.hypotheses[segment][system]));
    parts.push(highlighted(cut, chosen));
  });
  pair.forEach((system, i) => parts.push(
    output(pair.length > 1 ? `${"AB"[i]}: ` : "", system, segment, references)));
  const legend = element("p", "Words in matching runs of ", "remark legend");
  for (const n of [1, 2, 3, 4]) legend.append(element("span", n === 4 ? "4 or more" : n, `m${n}`));
  parts.push(legend);
  const others = openable("others", "All systems");
  const order = data.systems.map((_, i) => i);
  const sign = data.metrics[state.metric].higher ? -1 : 1;
  const key = (system) => last(sign * score(system, segment));
  order.sort((a, b) => (key(a) === key(b) ? a - b : key(a) - key(b)));
  for (const system of order) {
    const line = element("p", null, "who");
    line.append(signOf(system), element("bdi", data.systems[system], "name"),
      ` ${shownScore(system, segment, 1)}`);
    others.append(line, foreign("p", shownText(data.hypotheses[segment][system]), "text"));
  }
  if (data.systems.length > 2) parts.push(others);
  detail.replaceChildren(...parts);
  detail.scrollTop = 0;
}
