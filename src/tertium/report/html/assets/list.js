// The list of segments: in which order they stand, and which one is shown.

function gain(segment) {
  const sign = data.metrics[state.metric].higher ? 1 : -1;
  return sign * (score(state.first, segment) - score(state.second, segment));
}

function selection() {
  const found = selected();
  const sign = data.metrics[state.metric].higher ? 1 : -1;
  const keys = { gain: (i) => -gain(i), loss: gain,
                 worst: (i) => sign * score(state.first, i),
                 best: (i) => -sign * score(state.first, i),
                 errors: (i) => -errorCount(state.first, i), ...ratingKeys() };
  const key = keys[byId("order").value];
  if (!key) return found;
  const values = new Map(found.map((i) => [i, last(key(i))]));
  return found.sort((a, b) => values.get(a) === values.get(b) ? a - b
                                                              : values.get(a) - values.get(b));
}

// Orders by people's ratings of A.
function ratingKeys() {
  const keys = {};
  data.ratings.forEach((one, k) => {
    const rated = (system, i) => one.values[system]?.[i] ?? NaN;
    keys[`low-${k}`] = (i) => rated(state.first, i);
    keys[`high-${k}`] = (i) => -rated(state.first, i);
    keys[`apart-${k}`] = (i) => -Math.abs(rated(state.first, i) - rated(state.second, i));
  });
  return keys;
}

function update() {
  showFields();
  drawSpread();
  state.shown = selection();
  const unit = state.shown.length === 1 ? "segment" : "segments";
  byId("found").textContent = `${state.shown.length} of ${haystacks.length} ${unit}.`;
  byId("nothing").hidden = state.shown.length > 0;
  byId("space").style.height = `${state.shown.length * ROW_HEIGHT}px`;
  byId("list").scrollTop = 0;
  fillList();
}

function row(place) {
  const segment = state.shown[place];
  const made = element("div", null, "row");
  made.id = `row-${segment}`;
  made.style.top = `${place * ROW_HEIGHT}px`;
  made.setAttribute("role", "option");
  made.setAttribute("aria-selected", String(segment === state.chosen));
  const numbers = [`${segment + 1}`, `A ${shownScore(state.first, segment, 1)}`];
  if (data.systems.length > 1) numbers.push(`B ${shownScore(state.second, segment, 1)}`);
  const order = byId("order").value.match(/^(?:low|high|apart)-(\d+)$/);
  if (order) {
    const { criterion, values } = data.ratings[Number(order[1])];
    numbers.push(`${criterion} ${values[state.first]?.[segment] ?? "–"}` + (data.systems.length > 1
      ? ` / ${values[state.second]?.[segment] ?? "–"}` : ""));
  }
  for (const slice of data.slices) {
    if (slice.by === "genre") numbers.push(slice.labels[slice.of[segment]]);
  }
  made.append(element("div", numbers.join(" · "), "numbers"),
              foreign("div", shownText(data.hypotheses[segment][state.first]), "text"));
  made.addEventListener("click", () => choose(segment));
  return made;
}

function fillList() {
  const list = byId("list");
  const first = Math.max(0, Math.floor(list.scrollTop / ROW_HEIGHT) - SPARE_ROWS);
  const count = Math.ceil(list.clientHeight / ROW_HEIGHT) + 2 * SPARE_ROWS;
  const rows = [];
  for (let i = first; i < Math.min(state.shown.length, first + count); i++) rows.push(row(i));
  byId("space").replaceChildren(...rows);
}

function move(step) {
  const place = state.shown.indexOf(state.chosen);
  const next = Math.min(state.shown.length - 1, Math.max(0, place + step));
  if (state.shown.length) choose(state.shown[next]);
}

function choose(segment, { scroll = false } = {}) {
  if (!state.shown.includes(segment)) {
    clearFilters();
    update();
  }
  state.chosen = segment;
  const list = byId("list");
  const top = state.shown.indexOf(segment) * ROW_HEIGHT;
  if (top < list.scrollTop || top + ROW_HEIGHT > list.scrollTop + list.clientHeight) {
    list.scrollTop = Math.max(0, top - list.clientHeight / 2);
  }
  fillList();
  list.setAttribute("aria-activedescendant", `row-${segment}`);
  showDetail();
  redraw(["plot-scatter"]);
  remember();
  if (scroll) byId("segments").scrollIntoView();
}
