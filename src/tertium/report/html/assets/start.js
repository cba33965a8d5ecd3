// The start of a report.

async function start() {
  listenAtOnce();
  data = await unpacked();
  prepare();
  listenToPlots();
  const segment = recall();
  update();
  showChoice(state.metric > 0);
  byId("choices").hidden = false;
  byId("emphasis").hidden = data.systems.length <= DISTINCT;
  if (segment >= 0) choose(segment, { scroll: true });
  redraw();
  addEventListener("hashchange", () => {
    if (!location.hash.includes("=")) return; // a part of the page, not a view
    const wanted = recall();
    update();
    showChoice(true);
    redraw();
    if (wanted >= 0) choose(wanted, { scroll: true });
  });
  document.documentElement.dataset.ready = "yes";
}

start();
