// The start of a report.

// A finding that a chip leads to may lie in a part that is folded.
function openFinding() {
  const finding = byId(location.hash.slice(1));
  const folded = finding?.closest("details:not([open])");
  if (!folded) return;
  folded.open = true;
  finding.scrollIntoView();
}

// The histogram of the first screen leads to the segments of the bar that is clicked.
function openBar(bar) {
  Object.assign(state, { metric: 0, first: 0, second: 1 });
  for (const key of ["metric", "first", "second"]) byId(key).value = String(state[key]);
  clearFilters();
  const rounded = (value) => (value ? Number(value).toFixed(data.metrics[0].decimals) : "");
  byId("gain-low").value = rounded(bar.dataset.low);
  byId("gain-high").value = rounded(bar.dataset.high);
  update();
  showChoice(true);
  redraw();
  remember();
  byId("segments").scrollIntoView();
}

async function start() {
  listenAtOnce();
  data = await unpacked();
  prepare();
  listenToPlots();
  for (const bar of document.querySelectorAll("#gains [data-bin]")) {
    bar.addEventListener("click", () => openBar(bar));
  }
  const segment = recall();
  update();
  showChoice(state.metric > 0);
  byId("choices").hidden = false;
  byId("emphasis").hidden = data.systems.length <= DISTINCT;
  if (segment >= 0) choose(segment, { scroll: true });
  redraw();
  addEventListener("hashchange", () => {
    if (!location.hash.includes("=")) { // a part of the page, not a view
      openFinding();
      return;
    }
    const wanted = recall();
    update();
    showChoice(true);
    redraw();
    if (wanted >= 0) choose(wanted, { scroll: true });
  });
  document.documentElement.dataset.ready = "yes";
}

start();
