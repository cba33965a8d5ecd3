// Controls, keys, and the state in the address.

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
    if (key !== "metric") state.paired = true;
    update();
    showChoice(key === "metric");
    redraw();
    if (state.chosen >= 0) showDetail();
    remember();
  };
  for (const key of ["metric", "first", "second"]) {
    byId(key).addEventListener("change", react(key));
  }
  let soon = 0; // browsers allow a few changes of the address in a second
  const filter = () => {
    update();
    clearTimeout(soon);
    soon = setTimeout(remember, 250);
  };
  for (const one of document.querySelectorAll("#segments :is(input, select)")) {
    one.addEventListener(one.tagName === "SELECT" ? "change" : "input", filter);
  }
  for (const one of document.querySelectorAll(".clear")) {
    one.addEventListener("click", () => { clearFilters(); filter(); });
  }
  byId("link").addEventListener("click", () => {
    remember();
    byId("link").dataset.copy = location.href;
    copy(byId("link"));
  });
  listenToSpread();
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

// A view can be sent as a link: the address says what is shown, by names that last.
function remember() {
  const view = new URLSearchParams({
    metric: data.metrics[state.metric].spec,
    a: data.systems[state.first],
    b: data.systems[state.second],
  });
  addFilters(view);
  const { audience } = document.documentElement.dataset;
  if (audience !== state.audience) view.set("for", audience);
  if (state.chosen >= 0) view.set("segment", String(state.chosen + 1));
  history.replaceState(null, "", `#${view}`);
}

function recall() {
  const view = new URLSearchParams(location.hash.slice(1));
  const known = (names, name, other) => names.includes(name) ? names.indexOf(name) : other;
  state.metric = known(data.metrics.map((one) => one.spec), view.get("metric"), state.metric);
  state.first = known(data.systems, view.get("a"), state.first);
  state.second = known(data.systems, view.get("b"), state.second);
  if (view.has("a") || view.has("b")) state.paired = true;
  for (const key of ["metric", "first", "second"]) byId(key).value = String(state[key]);
  recallFilters(view);
  if (/^(everyone|experts)$/.test(view.get("for"))) setAudience(view.get("for"));
  const segment = Number(view.get("segment")) - 1;
  return Number.isInteger(segment) && segment >= 0 && segment < haystacks.length ? segment : -1;
}

function sortTable(button) {
  const down = button.dataset.down !== "yes";
  button.dataset.down = down ? "yes" : "no";
  sortedBy(Number(button.dataset.column), down === (Number(button.dataset.column) > 0));
}

function sortedBy(column, falling) {
  const body = byId("score-table").tBodies[0];
  const value = (line) => Number(line.children[column].dataset.value);
  const sign = falling ? -1 : 1;
  body.append(...[...body.rows].sort((a, b) => sign * (value(a) - value(b))));
  const heads = byId("score-table").tHead.rows[0].cells;
  for (const one of heads) one.removeAttribute("aria-sort");
  heads[column].setAttribute("aria-sort", falling ? "descending" : "ascending");
}

// Metric, A and B hold for the table and the words, too.
function showChoice(sort) {
  if (sort) sortedBy(1 + state.metric, data.metrics[state.metric].higher);
  if (data.systems.length < 2) return;
  for (const line of byId("score-table").tBodies[0].rows) {
    const system = Number(line.dataset.system);
    line.querySelector(".letter").textContent =
      [system === state.first ? "A" : "", system === state.second ? "B" : ""].join("");
  }
  showWords();
  showPair();
}

// Rows of tables and plots whose system has the words that are typed.
function showSystems(words) {
  const wanted = words.toLowerCase();
  for (const line of document.querySelectorAll("tr[data-system]")) {
    const name = line.querySelector("th bdi").title || line.querySelector("th bdi").textContent;
    line.hidden = !name.toLowerCase().includes(wanted);
  }
}

async function copy(button) {
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = "copied";
  } catch {
    const link = button.id === "link";
    if (!link) getSelection().selectAllChildren(button.previousElementSibling);
    button.textContent = link ? "not copied: see the address bar" : "selected";
  }
  setTimeout(() => { button.textContent = before; }, 1500);
}

function setTheme(name) {
  document.documentElement.dataset.theme = name;
  byId("theme").setAttribute("aria-pressed", String(name === "dark"));
}

function setAudience(name) {
  document.documentElement.dataset.audience = name;
  for (const one of document.querySelectorAll("[data-for]")) {
    one.setAttribute("aria-pressed", String(one.dataset.for === name));
  }
}

function listenAtOnce() {
  state.audience = document.documentElement.dataset.audience;
  for (const one of document.querySelectorAll("[data-for]")) {
    one.addEventListener("click", () => { setAudience(one.dataset.for); remember(); fillList(); });
  }
  const dark = matchMedia("(prefers-color-scheme: dark)");
  setTheme(dark.matches ? "dark" : "light");
  dark.addEventListener("change", () => setTheme(dark.matches ? "dark" : "light"));
  byId("theme").addEventListener("click", () =>
    setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
  for (const one of document.querySelectorAll("#score-table thead button")) {
    one.addEventListener("click", () => sortTable(one));
  }
  byId("sort")?.addEventListener("change", (event) => {
    const column = Number(event.target.value);
    sortedBy(column, !byId("score-table").tHead.rows[0].cells[column].textContent.includes("↓"));
  });
  byId("filter")?.addEventListener("input", (event) => showSystems(event.target.value));
  for (const one of document.querySelectorAll("button.copy")) {
    one.addEventListener("click", () => copy(one));
  }
}

// What can be searched, and what can be chosen.
function prepare() {
  haystacks = data.hypotheses.map((texts, i) =>
    [data.sources ? data.sources[i] : "", ...data.references[i], ...texts]
      .map(shownText).join("\n").toLowerCase());
  state.second = data.rival;
  options(byId("metric"), data.metrics.map((one) => one.title), 0);
  options(byId("first"), data.systems, state.first);
  options(byId("second"), data.systems, state.second);
  const missing = [...(data.entities ? [] : ["name"]), ...(data.systems.length > 1 ? [] : ["same", "different"])];
  for (const value of missing) byId("holds").querySelector(`[value=${value}]`).remove();
  listen();
}
