import { equal, open, test, until } from "/tests/harness.js";

const HTML = `<button id="theme"></button><table id="score-table"><thead><tr></tr></thead></table><div id="list"></div><div id="space"></div><p id="found"></p>
  <section id="segments"></section><article id="detail"></article><p id="nothing"></p><input id="search"><input id="low"><input id="high"><select id="order"><option>number</option></select>
  <select id="holds"><option value=""></option></select><input id="term"><select id="lost"><option value=""></option></select><input id="gain-low"><input id="gain-high">
  <section id="plots" class="many"><figure id="plot-scatter" hidden><span id="scatter-axes"></span><svg style="display: block; width: 200px; height: 100px"></svg></figure>
  <div class="by-metric" data-metric="0"><i data-mark="0"></i><i data-mark="1"></i></div><div class="by-metric" data-metric="1" hidden><i data-mark="1"></i></div></section>`;
const DATA = () => ({ systems: ["A<1>", "B"], colours: ["red", "blue"], signs: ["x", "y"], references: [["r"], ["r"], ["r"]], hypotheses: [["a", "b"], ["a", "b"], ["a", "b"]], slices: [], ratings: [], sources: null,
  explained: {}, entities: null, spans: null, rival: 1, pairs: {},
  metrics: [{ spec: "bleu", title: "B&W", decimals: 1, higher: true, segments: [[0, null, 500], [1000, 50, 0]], rows: null }, { spec: "ter", title: "TER", decimals: 1, higher: false, segments: [[10, 20, 30], [30, 20, 10]], rows: null }] });

async function plots({ change = () => {} } = {}) {
  const page = await open(HTML);
  page.module = (await page.load("/report.js")).default;
  const data = DATA();
  change(data);
  page.module.set(data);
  page.module.state.shown = [0, 1, 2];
  page.points = () => page.all(".point").map((one) => [one.dataset.segment, one.getAttribute("cx"), one.getAttribute("cy")]);
  return page;
}

test("segments of A and B are points, and the better ones lie to the right and above", async () => {
  const page = await plots();
  page.module.drawScatter();
  equal([page.$("#plot-scatter").hidden, page.points()], [false, [["0", "2.00%", "2.00%"], ["2", "50.00%", "98.00%"]]]);
  equal(page.$("#scatter-axes").textContent, "B&W of every segment: A, A<1>, to the right, B, B, upwards; on the line both are equal.");
  page.module.state.metric = 1;
  page.module.drawScatter();
  equal(page.points(), [["0", "98.00%", "98.00%"], ["1", "50.00%", "50.00%"], ["2", "2.00%", "2.00%"]]);
  equal(page.all(".ring").length, 0);
  page.module.state.chosen = 1;
  page.module.drawScatter();
  equal(page.all(".ring").map((one) => one.getAttribute("cx")), ["50.00%"]);
});

test("segments that score alike lie in the middle", async () => {
  const page = await plots({ change: (data) => { data.metrics[0].segments = [[1, 1, 1], [1, 1, 1]]; } });
  page.module.drawScatter();
  equal(page.points()[0], ["0", "50.00%", "50.00%"]);
});

test("a click near a point chooses its segment", async () => {
  const page = await plots();
  page.module.listenToPlots();
  page.module.drawScatter();
  const box = page.$("#plot-scatter svg").getBoundingClientRect();
  const click = (x, y) => page.$("#plot-scatter svg").dispatchEvent(
    new page.window.MouseEvent("click", { clientX: box.left + x, clientY: box.top + y, bubbles: true }));
  click(150, 50);
  equal(page.module.state.chosen, -1);
  click(105, 95);
  equal([page.module.state.chosen, page.all(".ring").length], [2, 1]);
});

test("one system has no points", async () => {
  const page = await plots({ change: (data) => { data.systems = ["A"]; } });
  page.module.drawScatter();
  equal([page.$("#plot-scatter").hidden, page.points()], [true, []]);
});

test("the plots are those of the metric, with A and B in front", async () => {
  const page = await plots();
  page.module.redraw();
  const shown = () => page.all(".by-metric").map((one) => one.hidden);
  equal([shown(), page.all("[data-mark]").map((one) => one.className)], [[false, true], ["first", "second", "second"]]);
  page.module.state.metric = 1;
  page.module.redraw(["plot-scatter"]);
  equal(shown(), [false, true]);
  page.module.redraw();
  equal(shown(), [true, false]);
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

