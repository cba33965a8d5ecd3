// Plots that depend on the choice of the reader; all others are rows of tables that need no script.

const NEAR = 14; // pixels from a click to the point that is meant

// Points in percent of the plot, better ones to the right and above; null where a score is missing.
function scatterPoints() {
  const sign = data.metrics[state.metric].higher ? 1 : -1;
  const of = (system) => data.metrics[state.metric].segments[system].map((_, i) =>
    sign * score(system, i));
  const [x, y] = [of(state.first), of(state.second)];
  const known = [...x, ...y].filter((value) => !Number.isNaN(value));
  const low = known.reduce((a, b) => Math.min(a, b), Infinity);
  const high = known.reduce((a, b) => Math.max(a, b), -Infinity);
  const at = (value) => 2 + 96 * (high > low ? (value - low) / (high - low) : 0.5);
  return x.map((value, i) => Number.isNaN(value) || Number.isNaN(y[i]) ? null
    : [at(value), 100 - at(y[i])]);
}

function drawScatter() {
  const figure = byId("plot-scatter");
  if (!figure || data.systems.length < 2) return;
  figure.hidden = false;
  const { title } = data.metrics[state.metric];
  const [a, b] = [data.systems[state.first], data.systems[state.second]];
  byId("scatter-axes").textContent =
    `${title} of every segment: A, ${a}, to the right, B, ${b}, upwards; on the line both are equal.`;
  const place = ([x, y], more) => drawn("circle", { cx: `${x.toFixed(2)}%`, cy: `${y.toFixed(2)}%`, ...more });
  const points = scatterPoints();
  const chosen = points[state.chosen];
  figure.querySelector("svg").replaceChildren(
    drawn("line", { class: "zero", x1: "2%", y1: "98%", x2: "98%", y2: "2%" }),
    ...points.flatMap((point, i) => point ? [place(point, { r: 2.5, class: "point", "data-segment": i })] : []),
    ...(chosen ? [place(chosen, { r: 7, class: "ring" })] : []));
}

// The segment whose point is nearest to a click, if one is near.
function nearestSegment(event) {
  const box = byId("plot-scatter").querySelector("svg").getBoundingClientRect();
  let [best, distance] = [-1, NEAR];
  scatterPoints().forEach((point, i) => {
    if (!point) return;
    const away = Math.hypot(box.left + point[0] * box.width / 100 - event.clientX,
                            box.top + point[1] * box.height / 100 - event.clientY);
    if (away < distance) [best, distance] = [i, away];
  });
  return best;
}

function listenToPlots() {
  byId("plot-scatter")?.querySelector("svg").addEventListener("click", (event) => {
    const segment = nearestSegment(event);
    if (segment >= 0) choose(segment, { scroll: true });
  });
}

// The plots of the metric, with A and B in front where systems are too many for a color each.
function redraw(names) {
  drawScatter();
  if (names) return; // only the segment is another one
  for (const block of document.querySelectorAll(".by-metric")) {
    block.hidden = Number(block.dataset.metric) !== state.metric;
  }
  for (const mark of document.querySelectorAll("#plots.many [data-mark]")) {
    const system = Number(mark.dataset.mark);
    mark.classList.toggle("first", system === state.first);
    mark.classList.toggle("second", system === state.second);
  }
}
