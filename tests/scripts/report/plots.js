import { equal, open, test, until } from "/tests/harness.js";

const plot = (name) => `<div class="plot" id="plot-${name}" style="--tall: 400px; --short: 250px"><div class="drawing" style="height: 20px"></div></div>`;
const HTML = `<button id="theme"></button><table id="score-table"><thead><tr></tr></thead></table><div id="list"></div><div id="space"></div><p id="found"></p>
  <section id="segments"></section><article id="detail"></article><p id="nothing"></p><input id="search"><input id="low"><input id="high"><select id="order"><option>number</option></select>
  ${plot("scatter")}${plot("lengths")}`;
const LAYOUT = () => ({ width: 900, showlegend: true, font: { size: 12, color: "old" }, margin: { l: 80, t: 5 }, title: { text: "T", font: { size: 20, family: "f" } }, xaxis: { type: "log", x: 1 }, yaxis2: { y: 1 } });
const DATA = () => ({ systems: ["A<1>", "B"], colours: ["red", "blue"], signs: ["x", "y"], references: [["r"], ["r"], ["r"]], hypotheses: [["a", "b"], ["a", "b"], ["a", "b"]], slices: [], ratings: [], sources: null,
  explained: {}, entities: null, spans: null, rival: 1,
  metrics: [{ spec: "bleu", title: "B&W", decimals: 3, higher: true, segments: [[1000, null, 3000], [2000, 500, 4000]] }, { spec: "ter", title: "TER", decimals: 1, higher: false, segments: [[1, 2, 3], [3, 2, 1]] }],
  figures: { scores: { bleu: { data: [], layout: LAYOUT() } }, lengths: { bleu: { data: [{ meta: 0, line: { color: "#1F2328", dash: "d" }, textfont: { color: "#1F2328", size: 3 } }, { meta: 4, line: { color: "red" } }, { meta: 5 }], layout: LAYOUT() } } } });

async function plots({ width = 1000, change = () => {} } = {}) {
  const page = await open(HTML, { width });
  page.drawn = [];
  page.clicks = [];
  page.window.Plotly = { react: (place, data, layout, config) => {
    page.drawn.push({ plot: place.parentElement.id, data, layout, config });
    place.on = (name, work) => page.clicks.push([name, work]);
  } };
  page.document.documentElement.style.cssText = "--ink: #111; --ink-2: #222; --line: #333";
  page.module = (await page.load("/report.js")).default;
  const data = DATA();
  change(data);
  page.module.set(data);
  page.draw = (name) => { page.module.drawPlot(page.$(`#plot-${name}`)); return page.drawn.at(-1); };
  return page;
}

test("a figure gets the page's colours and size", async () => {
  const page = await plots();
  const { layout, config, data } = page.draw("lengths");
  equal(layout, { showlegend: true, font: { size: 12, color: "rgb(17, 17, 17)" }, margin: { l: 80, t: 5 }, title: { text: "T", font: { size: 20, family: "f" } },
    xaxis: { type: "log", x: 1, gridcolor: "rgb(51, 51, 51)", linecolor: "rgb(51, 51, 51)" }, yaxis2: { y: 1, gridcolor: "rgb(51, 51, 51)", linecolor: "rgb(51, 51, 51)" }, autosize: true, height: 400,
    modebar: { bgcolor: "rgba(0,0,0,0)", color: "rgb(34, 34, 34)", activecolor: "rgb(17, 17, 17)" } });
  equal(config, { responsive: true, displaylogo: false, displayModeBar: "hover", plotlyServerURL: "", modeBarButtonsToRemove: ["sendChartToCloud", "sendDataToCloud", "select2d", "lasso2d", "autoScale2d"] });
  equal(data, [{ meta: 0, line: { color: "rgb(17, 17, 17)", dash: "d" }, textfont: { color: "rgb(17, 17, 17)", size: 3 } }, { meta: 4, line: { color: "red" } }, { meta: 5 }]);
  equal([page.$("#plot-lengths").className, page.$("#plot-lengths").dataset.stale, page.$("#plot-lengths").hidden], ["plot drawn", "no", false]);
});

test("a narrow page has no legend in the plot", async () => {
  const page = await plots({ width: 600 });
  const { layout, config } = page.draw("lengths");
  equal([layout.height, layout.showlegend, layout.dragmode, layout.margin, layout.title.font, config.displayModeBar], [250, false, false, { l: 12, r: 12, b: 50, t: 5 }, { size: 13, family: "f" }, false]);
});

test("of many systems A and B stand out", async () => {
  const page = await plots({ change: (data) => { data.systems = Array.from({ length: 8 }, (_, at) => `s${at}`); } });
  page.module.state.second = 4;
  equal(page.draw("lengths").data.map((trace) => [trace.opacity, trace.line]), [[1, { color: "rgb(17, 17, 17)", dash: "d", width: 3 }], [1, { color: "red", width: 3 }], [0.45, { width: 1.5 }]]);
  const few = await plots({ change: (data) => { data.systems = Array.from({ length: 7 }, (_, at) => `s${at}`); } });
  equal(few.draw("lengths").data[2], { meta: 5 });
  const plain = await plots({ change: (data) => { data.systems = Array.from({ length: 8 }, (_, at) => `s${at}`); data.figures.lengths.bleu.layout.showlegend = false; } });
  equal(plain.draw("lengths").data[2], { meta: 5 });
});

test("a metric without a figure hides the plot", async () => {
  const page = await plots();
  page.module.state.metric = 1;
  page.draw("lengths");
  equal([page.drawn.length, page.$("#plot-lengths").hidden], [0, true]);
  page.module.state.metric = 0;
  page.draw("lengths");
  equal([page.drawn.length, page.$("#plot-lengths").hidden], [1, false]);
});

test("scores of A and B, segment by segment", async () => {
  const page = await plots();
  const { data, layout } = page.draw("scatter");
  equal(data[0], { type: "scatter", mode: "lines", x: [0.5, 4], y: [0.5, 4], hoverinfo: "skip", line: { color: "#888", dash: "dot", width: 1 } });
  equal(data[1], { type: "scatter", mode: "markers", x: [1, NaN, 3], y: [2, 0.5, 4], customdata: [1, 2, 3], hovertemplate: "segment %{customdata}: %{x:.2f} → %{y:.2f}<extra></extra>", marker: { size: 5, opacity: 0.6, color: "blue" } });
  equal(data[2], { type: "scatter", mode: "markers", hoverinfo: "skip", x: [], y: [], marker: { size: 13, symbol: "circle-open", color: "rgb(17, 17, 17)", line: { width: 3 } } });
  equal([layout.showlegend, layout.title.text, layout.title.font.size, layout.xaxis.title.text, layout.yaxis.title.text, layout.xaxis.type, layout.yaxis.type, layout.xaxis.x],
    [false, "B&amp;W, segment by segment", 20, "B&amp;W of A: A&lt;1&gt;", "B&amp;W of B: B", "linear", "linear", 1]);
  page.module.state.chosen = 2;
  equal([page.draw("scatter").data[2].x, page.drawn.at(-1).data[2].y, page.clicks.length], [[3], [4], 1]);
});

test("a click on a point chooses its segment", async () => {
  const page = await plots({ change: (data) => { data.metrics[0].rows = null; } });
  page.module.state.shown = [0, 1, 2];
  page.draw("scatter");
  const [[name, click]] = page.clicks;
  equal(name, "plotly_click");
  click({ points: [{}, {}] });
  equal(page.module.state.chosen, -1);
  click({ points: [{}, { customdata: 2 }] });
  equal(page.module.state.chosen, 1);
});

test("one system has no scatter", async () => {
  const page = await plots({ change: (data) => { data.systems = ["A"]; } });
  page.draw("scatter");
  equal([page.drawn.length, page.$("#plot-scatter").hidden], [0, true]);
});

test("plots are drawn when they come into view, and again when they are stale", async () => {
  const page = await plots();
  const drawn = () => page.drawn.map((one) => one.plot);
  page.module.redraw();
  equal([drawn(), page.$("#plot-lengths").dataset.stale], [[], "yes"]);
  page.module.watcher.observe(page.$("#plot-lengths"));
  await until(() => page.drawn.length);
  equal([drawn(), page.$("#plot-lengths").dataset.visible], [["plot-lengths"], "yes"]);
  page.module.redraw();
  equal(drawn(), ["plot-lengths", "plot-lengths"]);
  page.module.redraw(["plot-scatter"]);
  equal(drawn().length, 2);
  page.$("#plot-scatter").hidden = true;
  page.module.redraw(["plot-scatter"]);
  equal(drawn().at(-1), "plot-scatter");
});

test("plots far below are not drawn", async () => {
  const page = await plots();
  page.$("#plot-lengths").style.marginTop = "5000px";
  page.module.watcher.observe(page.$("#plot-lengths"));
  await until(() => page.$("#plot-lengths").dataset.visible === "");
  equal(page.drawn, []);
  page.window.scrollTo(0, 4600);
  await until(() => page.drawn.length);
  page.window.scrollTo(0, 0);
  await until(() => page.$("#plot-lengths").dataset.visible === "");
  page.window.scrollTo(0, 4600);
  await until(() => page.$("#plot-lengths").dataset.visible === "yes");
  equal(page.drawn.length, 1);
});

test("the theme is set, and redraws what is seen", async () => {
  const page = await plots();
  page.$("#plot-lengths").dataset.visible = "yes";
  page.module.setTheme("dark");
  equal([page.document.documentElement.dataset.theme, page.$("#theme").getAttribute("aria-pressed"), page.drawn.length], ["dark", "true", 1]);
  page.module.set(null);
  page.module.setTheme("light");
  equal([page.document.documentElement.dataset.theme, page.$("#theme").getAttribute("aria-pressed"), page.drawn.length], ["light", "false", 1]);
});

test("buttons of the page work before its data are there", async () => {
  const page = await plots();
  page.module.set(null);
  const list = new page.window.EventTarget();
  list.matches = true;
  page.window.matchMedia = (query) => { equal(query, "(prefers-color-scheme: dark)"); return list; };
  const theme = () => page.document.documentElement.dataset.theme;
  page.$("#score-table").innerHTML = '<thead><tr><th><button data-column="0">s</button></th></tr></thead><tbody><tr><td data-value="2">b</td></tr><tr><td data-value="1">a</td></tr></tbody>';
  page.document.body.insertAdjacentHTML("beforeend", '<code>x</code><button class="copy" data-copy="x">copy</button>');
  page.module.listenAtOnce();
  equal(theme(), "dark");
  page.$("#theme").click();
  equal(theme(), "light");
  page.$("#theme").click();
  equal(theme(), "dark");
  list.matches = false;
  list.dispatchEvent(new page.window.Event("change"));
  equal(theme(), "light");
  list.matches = true;
  list.dispatchEvent(new page.window.Event("change"));
  equal(theme(), "dark");
  page.click("thead button");
  equal(page.texts("tbody td"), ["a", "b"]);
  page.click(".copy");
  await until(() => page.$(".copy").textContent !== "copy");
});

test("paper is light, and shows all plots", async () => {
  const page = await plots({ width: 600 });
  page.module.setTheme("dark");
  page.module.listenToPrinter();
  page.send(page.window, "beforeprint");
  const { layout, config } = page.drawn.at(-1);
  equal([page.document.documentElement.dataset.theme, page.drawn.map((one) => one.plot), layout.width, layout.height, layout.autosize, config.responsive, layout.showlegend],
    ["light", ["plot-scatter", "plot-lengths"], 660, 400, false, false, true]);
  page.send(page.window, "afterprint");
  equal(page.document.documentElement.dataset.theme, "dark");
  equal(page.draw("lengths").layout.autosize, true);
});
