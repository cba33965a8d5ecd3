"use strict";
// The page's own script. Text of others enters the page through textContent only, never as HTML.
(() => {
  const CUT = "\u001f";
  const ROW_HEIGHT = 52;
  const SPARE_ROWS = 8;
  const NARROW = 640;
  const LONGEST_ALIGNMENT = 400;
  const byId = (name) => document.getElementById(name);

  const state = { metric: 0, first: 0, second: 1, chosen: -1, shown: [] };
  let data = null;
  let haystacks = [];

  // ---- small helpers -------------------------------------------------------------------

  function element(tag, text, className) {
    const made = document.createElement(tag);
    if (text !== undefined && text !== null) made.textContent = text;
    if (className) made.className = className;
    return made;
  }

  const shownText = (cut) => cut.replaceAll(CUT, "");
  const tokens = (cut) => cut.split(/[ \u001f]+/).filter((word) => word !== "");
  const score = (system, segment, metric = state.metric) =>
    data.metrics[metric].segments[system][segment] / 100;
  // Plotly takes text for markup; names of systems and labels are shown as they are.
  const plain = (text) =>
    text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

  async function unpacked() {
    const packed = atob(byId("payload").textContent.trim());
    const bytes = new Uint8Array(packed.length);
    for (let i = 0; i < packed.length; i++) bytes[i] = packed.charCodeAt(i);
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).json();
  }

  // ---- light and dark ------------------------------------------------------------------

  function setTheme(name) {
    document.documentElement.dataset.theme = name;
    byId("theme").setAttribute("aria-pressed", String(name === "dark"));
    for (const plot of document.querySelectorAll(".plot.drawn")) recolour(plot);
  }

  function colours() {
    const style = getComputedStyle(document.documentElement);
    return { ink: style.getPropertyValue("--ink").trim(),
             line: style.getPropertyValue("--line").trim() };
  }

  function themed(layout) {
    const { ink, line } = colours();
    const result = { ...layout, autosize: true, font: { ...layout.font, color: ink } };
    delete result.width;
    if (result.showlegend && document.documentElement.clientWidth < NARROW) {
      result.legend = { ...result.legend, orientation: "h", x: 0, y: -0.35, yanchor: "top" };
    }
    for (const axis of Object.keys(result).filter((key) => /^[xy]axis\d*$/.test(key))) {
      result[axis] = { ...result[axis], gridcolor: line, linecolor: line };
    }
    return result;
  }

  function recolour(plot) {
    Plotly.relayout(plot.lastElementChild, themed(plot.lastElementChild.layout));
  }

  // ---- plots ---------------------------------------------------------------------------

  function draw(plot, figure) {
    if (!plot.classList.contains("drawn")) {
      plot.appendChild(element("div"));
      plot.classList.add("drawn");
    }
    const place = plot.lastElementChild;
    const layout = themed(figure.layout);
    Plotly.react(place, figure.data, layout, { responsive: true, displaylogo: false });
    return place;
  }

  function drawScatter(plot) {
    const metric = data.metrics[state.metric];
    const x = metric.segments[state.first].map((value) => value / 100);
    const y = metric.segments[state.second].map((value) => value / 100);
    const both = x.concat(y);
    const low = both.reduce((a, b) => Math.min(a, b), Infinity);
    const high = both.reduce((a, b) => Math.max(a, b), -Infinity);
    const base = data.figures.scores[metric.spec].layout;
    const axis = (title) => ({ ...base.xaxis, title: { text: plain(title) }, type: "linear" });
    const place = draw(plot, {
      data: [
        { type: "scatter", mode: "lines", x: [low, high], y: [low, high], hoverinfo: "skip",
          line: { color: "#888", dash: "dot", width: 1 } },
        { type: "scatter", mode: "markers", x, y, customdata: x.map((_, i) => i + 1),
          hovertemplate: "segment %{customdata}: %{x:.1f} → %{y:.1f}<extra></extra>",
          marker: { size: 5, opacity: 0.6, color: data.colours[state.second] } },
        { type: "scatter", mode: "markers", hoverinfo: "skip",
          x: state.chosen < 0 ? [] : [x[state.chosen]],
          y: state.chosen < 0 ? [] : [y[state.chosen]],
          marker: { size: 12, symbol: "circle-open", color: data.colours[state.first],
                    line: { width: 3 } } },
      ],
      layout: { ...base, height: 520, showlegend: false,
        title: { ...base.title, text: `${plain(metric.title)}, segment by segment` },
        xaxis: axis(`A: ${data.systems[state.first]}`),
        yaxis: axis(`B: ${data.systems[state.second]}`) },
    });
    if (!plot.dataset.listens) {
      plot.dataset.listens = "yes";
      place.on("plotly_click", (event) => {
        const point = event.points.find((one) => one.customdata !== undefined);
        if (point) choose(point.customdata - 1, { scroll: true });
      });
    }
  }

  function drawPlot(plot) {
    const name = plot.id.replace("plot-", "");
    if (name === "scatter") {
      if (data.systems.length > 1) drawScatter(plot);
      else plot.hidden = true;
      return;
    }
    const figure = data.figures[name]?.[data.metrics[state.metric].spec];
    plot.hidden = !figure;
    if (figure) draw(plot, figure);
  }

  const watcher = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      entry.target.dataset.visible = entry.isIntersecting ? "yes" : "";
      if (entry.isIntersecting && entry.target.dataset.stale !== "no") {
        entry.target.dataset.stale = "no";
        drawPlot(entry.target);
      }
    }
  }, { rootMargin: "300px" });

  function redraw(names) {
    for (const plot of document.querySelectorAll(".plot")) {
      if (names && !names.includes(plot.id)) continue;
      plot.dataset.stale = "yes";
      if (plot.dataset.visible) {
        plot.dataset.stale = "no";
        drawPlot(plot);
      }
    }
  }

  // ---- list of segments ----------------------------------------------------------------

  function gain(segment) {
    const sign = data.metrics[state.metric].higher ? 1 : -1;
    return sign * (score(state.first, segment) - score(state.second, segment));
  }

  function selection() {
    const wanted = byId("search").value.toLowerCase();
    const low = parseFloat(byId("low").value);
    const high = parseFloat(byId("high").value);
    const slices = [...document.querySelectorAll("select.slice")]
      .filter((one) => one.value !== "")
      .map((one) => [data.slices[Number(one.dataset.slice)].of, Number(one.value)]);
    const found = [];
    for (let i = 0; i < haystacks.length; i++) {
      if (wanted && !haystacks[i].includes(wanted)) continue;
      if (slices.some(([of, label]) => of[i] !== label)) continue;
      const value = score(state.first, i);
      if (value < low || value > high) continue;
      found.push(i);
    }
    const sign = data.metrics[state.metric].higher ? 1 : -1;
    const keys = { gain: (i) => -gain(i), loss: gain,
                   worst: (i) => sign * score(state.first, i),
                   best: (i) => -sign * score(state.first, i) };
    const key = keys[byId("order").value];
    return key ? found.sort((a, b) => key(a) - key(b) || a - b) : found;
  }

  function update() {
    state.shown = selection();
    const unit = state.shown.length === 1 ? "segment" : "segments";
    byId("found").textContent = `${state.shown.length} of ${haystacks.length} ${unit}.`;
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
    const numbers = [`${segment + 1}`, `A ${score(state.first, segment).toFixed(1)}`];
    if (data.systems.length > 1) numbers.push(`B ${score(state.second, segment).toFixed(1)}`);
    for (const slice of data.slices) {
      if (slice.by === "genre") numbers.push(slice.labels[slice.of[segment]]);
    }
    made.append(element("div", numbers.join(" · "), "numbers"),
                element("div", shownText(data.hypotheses[segment][state.first]), "text"));
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

  // ---- one segment ---------------------------------------------------------------------

  function choose(segment, { scroll = false } = {}) {
    if (!state.shown.includes(segment)) {
      for (const one of document.querySelectorAll("select.slice, #low, #high, #search")) {
        one.value = "";
      }
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
    if (scroll) byId("segments").scrollIntoView();
  }

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

  function editTable(words, reference) {
    if (words.length * reference.length > LONGEST_ALIGNMENT * LONGEST_ALIGNMENT) {
      return element("p", "Too long to be aligned here.", "remark");
    }
    const table = element("table", null, "edits");
    const top = element("tr"), bottom = element("tr");
    top.append(element("th", "reference"));
    bottom.append(element("th", "output"));
    for (const [kind, word, other] of edits(words, reference)) {
      top.append(element("td", other || "∅", kind));
      bottom.append(element("td", word || "∅", kind));
    }
    table.append(top, bottom);
    const frame = element("div", null, "wide");
    frame.append(table);
    return frame;
  }

  function partsTable(pairs) {
    const table = element("table");
    for (const cells of pairs) {
      const line = element("tr");
      for (const cell of cells) line.append(element("td", cell === null ? "" : String(cell)));
      table.append(line);
    }
    const frame = element("div", null, "wide");
    frame.append(table);
    return frame;
  }

  function why(system, segment) {
    const made = element("details");
    const metric = data.metrics[state.metric];
    made.append(element("summary", `Why ${score(system, segment).toFixed(2)} ${metric.title}?`));
    const explained = data.explained[metric.spec]?.[`${system}:${segment}`];
    if (explained) {
      const [parts, trace] = explained;
      made.append(partsTable(parts));
      if (trace.length) made.append(element("pre", trace.join("\n")));
    } else {
      if (metric.rows) {
        made.append(partsTable(metric.columns.map((name, k) => {
          const column = metric.rows[k];
          return [name.replaceAll("_", " "), column.values[system][segment] / column.scale];
        })));
      }
      made.append(element("p", "Word by word: tertium explain … " +
        `-m '${metric.spec}' --segments ${segment + 1}`, "remark"));
    }
    return made;
  }

  function output(letter, system, segment, references) {
    const part = element("div");
    const cut = data.hypotheses[segment][system];
    const head = element("h3", `${letter}${data.systems[system]}`);
    const metric = data.metrics[state.metric];
    const numbers = [`${metric.title} ${score(system, segment).toFixed(2)}`];
    for (const one of data.ratings) {
      const rating = one.values[system]?.[segment];
      if (rating !== null && rating !== undefined) numbers.push(`${one.criterion} ${rating}`);
    }
    head.append(element("span", numbers.join(" · ")));
    const aligned = element("details");
    aligned.append(element("summary", "Edits beside each reference"));
    aligned.addEventListener("toggle", () => {
      if (aligned.open && aligned.childElementCount === 1) {
        for (const one of references) aligned.append(editTable(tokens(cut), one));
      }
    });
    part.append(head, highlighted(cut, references), aligned, why(system, segment));
    return part;
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
      parts.push(element("h3", "Source"), element("p", data.sources[segment], "text"));
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
    const others = element("details");
    others.append(element("summary", "All systems"));
    const order = data.systems.map((_, i) => i);
    const sign = data.metrics[state.metric].higher ? -1 : 1;
    order.sort((a, b) => sign * (score(a, segment) - score(b, segment)));
    for (const system of order) {
      const line = element("p", null, "text");
      line.append(element("strong", `${data.systems[system]} `),
        `${score(system, segment).toFixed(1)}  ${shownText(data.hypotheses[segment][system])}`);
      others.append(line);
    }
    if (data.systems.length > 2) parts.push(others);
    detail.replaceChildren(...parts);
    detail.scrollTop = 0;
  }

  // ---- controls ------------------------------------------------------------------------

  function options(select, names, chosen) {
    select.replaceChildren(...names.map((name, i) => {
      const made = element("option", name);
      made.value = String(i);
      return made;
    }));
    select.value = String(chosen);
  }

  function listen() {
    const react = (key) => (event) => {
      state[key] = Number(event.target.value);
      update();
      redraw(key === "metric" ? undefined : ["plot-scatter"]);
      if (state.chosen >= 0) showDetail();
    };
    for (const key of ["metric", "first", "second"]) {
      byId(key).addEventListener("change", react(key));
    }
    for (const one of document.querySelectorAll("#search, #low, #high")) {
      one.addEventListener("input", update);
    }
    for (const one of document.querySelectorAll("#order, select.slice")) {
      one.addEventListener("change", update);
    }
    byId("list").addEventListener("scroll", fillList, { passive: true });
    document.addEventListener("keydown", (event) => {
      const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
      if (event.key === "Escape" && typing) event.target.blur();
      if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
      const listed = event.target === byId("list");
      if (event.key === "/") { event.preventDefault(); byId("search").focus(); }
      if (event.key === "j" || (listed && event.key === "ArrowDown")) {
        event.preventDefault(); move(1);
      }
      if (event.key === "k" || (listed && event.key === "ArrowUp")) {
        event.preventDefault(); move(-1);
      }
    });
  }

  function sortTable(button) {
    const body = byId("score-table").tBodies[0];
    const column = Number(button.dataset.column);
    const down = button.dataset.down !== "yes";
    button.dataset.down = down ? "yes" : "no";
    const value = (line) => Number(line.children[column].dataset.value);
    const rows = [...body.rows].sort((a, b) => value(b) - value(a));
    body.append(...(down === (column > 0) ? rows : rows.reverse()));
  }

  async function copy(button) {
    const before = button.textContent;
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
      button.textContent = "copied";
    } catch {
      getSelection().selectAllChildren(button.previousElementSibling);
      button.textContent = "selected";
    }
    setTimeout(() => { button.textContent = before; }, 1500);
  }

  function listenAtOnce() {
    const dark = matchMedia("(prefers-color-scheme: dark)");
    setTheme(dark.matches ? "dark" : "light");
    dark.addEventListener("change", () => setTheme(dark.matches ? "dark" : "light"));
    byId("theme").addEventListener("click", () =>
      setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
    for (const one of document.querySelectorAll("#score-table thead button")) {
      one.addEventListener("click", () => sortTable(one));
    }
    for (const one of document.querySelectorAll("button.copy")) {
      one.addEventListener("click", () => copy(one));
    }
  }

  async function start() {
    listenAtOnce();
    data = await unpacked();
    haystacks = data.hypotheses.map((texts, i) =>
      [data.sources ? data.sources[i] : "", ...data.references[i], ...texts]
        .map(shownText).join("\n").toLowerCase());
    state.second = Math.min(1, data.systems.length - 1);
    options(byId("metric"), data.metrics.map((one) => one.title), 0);
    options(byId("first"), data.systems, state.first);
    options(byId("second"), data.systems, state.second);
    listen();
    update();
    for (const plot of document.querySelectorAll(".plot")) watcher.observe(plot);
    document.documentElement.dataset.ready = "yes";
  }

  start();
})();
