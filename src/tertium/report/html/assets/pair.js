// The pair that the reader has chosen: its verdict and forest plot, as made for every pair.

const SHAPES = { ahead: "M-4-5.4 6 0-4 5.4Z", behind: "M4-5.4-6 0 4 5.4Z" };

function whisker([start, end, mark, openStart, openEnd], lean) {
  const group = drawn("g", { class: lean });
  if (start !== end) {
    group.append(drawn("line", { class: "bar", x1: `${start}%`, x2: `${end}%`, y1: "50%", y2: "50%" }));
  }
  const open = (x, path) => drawn("svg", { x: `${x}%`, y: "50%" },
    drawn("path", { class: "bar", fill: "none", d: path }));
  if (openStart) group.append(open(start, "M5-5 0 0 5 5"));
  if (openEnd) group.append(open(end, "M-5-5 0 0-5 5"));
  group.append(drawn("svg", { class: "dot", x: `${mark}%`, y: "50%" }, SHAPES[lean]
    ? drawn("path", { d: SHAPES[lean] }) : drawn("circle", { r: "4.5" })));
  return group;
}

function picture(row, [start, width]) {
  if (!row.mark) return element("span", row.words, "s q");
  return drawn("svg", { class: "iv", height: row.people ? 36 : 32, "aria-hidden": "true" },
    drawn("rect", { class: "band", x: `${start}%`, width: `${width}%`, y: 0, height: "100%" }),
    drawn("line", { class: "zero", x1: "50%", x2: "50%", y1: 0, y2: "100%" }),
    whisker(row.mark, row.lean));
}

function cell(className, ...inside) {
  const made = element("td", null, className);
  made.append(...inside);
  return made;
}

function agreement(row) {
  if (row.width === null) return element("span", row.told, "s m only-l");
  const made = element("span", null, "agree");
  made.title = row.told;
  made.append(drawn("svg", { class: "iv", height: 8, "aria-hidden": "true" },
    drawn("rect", { class: "track", width: "100%", height: 8, rx: 2 }),
    drawn("rect", { width: `${row.width}%`, height: 8, rx: 2, fill: "var(--ink-3)" })),
  element("span", `${Math.round(100 * row.agree)} %`));
  return made;
}

function forestRow(row, band) {
  const made = element("tr", null, row.people ? "people" : "");
  const head = element("th");
  head.scope = "row";
  head.title = row.tip;
  head.append(row.people ? element("b", row.title) : element("bdi", row.title, "name"));
  if (row.people) head.append(" ", element("span", "people", "s q"));
  if (row.lower) head.append(" ", element("span", "↓", "q"));
  const sure = row.lean === "unsure" ? "" : " b";
  made.append(head, cell("plot", picture(row, band)), cell(`num ${row.lean}${sure}`, row.delta),
    cell("num s m fold", row.interval), cell("num", agreement(row)));
  return made;
}

function forestHead(system) {
  const made = element("tr");
  const text = (x, anchor, words) => drawn("text", { x, y: 14, "text-anchor": anchor }, words);
  made.append(element("td"), cell("plot", drawn("svg", { class: "iv", height: 20, "aria-hidden": "true" },
    text("0", "start", `◂ ${system.length > 14 ? "" : `${system} `}behind`), text("50%", "middle", "0"),
    text("100%", "end", "ahead ▸"))));
  for (const [words, more] of [["Δ", ""], ["95 % interval", " fold"], ["people agree", ""]]) {
    const head = element("th", words, `num${more}`);
    head.scope = "col";
    made.append(head);
  }
  return made;
}

function meter([label, boxes, strength, note]) {
  const made = element("span", null, "meter");
  made.setAttribute("role", "img");
  made.setAttribute("aria-label", `evidence: ${strength}`);
  const ink = element("i");
  for (let box = 0; box < 3; box++) ink.append(element("b", null, box < boxes ? "on" : ""));
  made.append(ink);
  const whole = element("span", null, "nw");
  whole.append(made, " ", element("span", strength, "b"));
  return [element("span", label, "m"), whole, element("span", note, "s m")];
}

// Of two systems the page opens with the first pair; another one, or the same turned round, is here.
function showPair() {
  const pair = data.pairs[`${state.first}-${state.second}`];
  const section = byId("pair");
  section.hidden = data.systems.length === 2 && state.first === 0;
  if (!state.paired) return;
  section.classList.toggle("chosen", Boolean(pair));
  if (!pair) {
    const same = state.first === state.second ? "A and B are the same system." :
      "This page holds pairs with the first system only: choose it as A.";
    byId("pair-shown").replaceChildren(element("p", same, "m"));
    return;
  }
  const meters = element("div", null, "meters");
  for (const one of pair.meters) meters.append(...meter(one));
  const table = element("table", null, "forest");
  table.append(element("thead"), element("tbody"));
  table.tHead.append(forestHead(data.systems[state.second]));
  table.tBodies[0].append(...pair.rows.map((row) => forestRow(row, pair.band)));
  const say = foreign("p", pair.say, "say");
  const why = pair.why ? [foreign("p", pair.why, "why")] : [];
  byId("pair-shown").replaceChildren(say, ...why, meters, table);
}
