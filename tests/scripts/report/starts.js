import { equal, open, settled, test, until } from "/tests/harness.js";

const HTML = `<button id="theme"></button><div id="choices" hidden><select id="metric"></select><label><select id="first"></select></label><label><select id="second"></select></label></div>
  <p id="loading">Loading</p><div id="browser-parts" data-address="/api/browser?outputs=1" hidden><section id="words"><b id="words-first"></b><b id="words-second"></b>
  ${["words-gained", "words-lost", "phrases-gained", "phrases-lost"].map((name) => `<table id="grams-${name}"><tbody></tbody></table>`).join("")}</section>
  <section id="segments"><input id="search"><select id="order"><option value="number"></option></select><label>From <input id="low" type="number"></label><input id="high" type="number"><output id="found"></output>
  <label><select id="holds">${["", "number", "name", "term", "repeated", "same", "different", "copied"].map((value) => `<option value="${value}"></option>`).join("")}</select></label><label hidden><input id="term"></label>
  <label hidden><select id="lost">${["", "a", "b", "only-a", "only-b", "both"].map((value) => `<option value="${value}"></option>`).join("")}</select></label><button id="link"></button>
  <div id="spread-differences"><p id="differences-shares"></p><svg id="differences"></svg><svg id="differences-axis"><text></text><text></text><text></text></svg>
  <input id="gain-low" type="number"><input id="gain-high" type="number"></div><div><div id="bands"></div><p id="bands-meaning"></p></div>
  <div id="list" tabindex="0" style="height: 104px; overflow: auto"><p id="nothing"><button id="clear" class="clear"></button></p><div id="space"></div></div><article id="detail"></article></section></div>
  <table id="score-table"><thead><tr><th>System</th><th>BLEU</th><th>TER</th></tr></thead><tbody>${[0, 1, 2].map((n) => `<tr data-system="${n}"><th data-value="${n}"><span class="letter"></span></th>
  <td data-value="${n}"></td><td data-value="${-n}"></td></tr>`).join("")}</tbody></table><p id="emphasis"></p><section id="pair"><div id="pair-shown"></div></section>`;
const DATA = () => ({ systems: ["alder", "birch", "cedar"], signs: ["a", "b", "c"], colours: ["red", "red", "red"], rival: 2, sources: null, references: [["x"], ["y z"]],
  hypotheses: [["x", "u", "x"], ["y", "y z", "u"]], slices: [{ by: "genre", labels: ["news", "web"], of: [1, 1] }], ratings: [], entities: null, spans: null, explained: {}, pairs: {},
  metrics: ["bleu", "ter"].map((spec) => ({ spec, title: spec.toUpperCase(), decimals: 1, higher: spec === "bleu", aligns: false, segments: [[1, 2], [3, 4], [5, 6]], rows: null })) });

async function start(script, { data = DATA(), path = "/page", answer } = {}) {
  const page = await open(HTML, { path, answer: answer ?? (() => ({ json: data })) });
  if (script === "/start.js") {
    const stream = new Blob([JSON.stringify(data)]).stream().pipeThrough(new CompressionStream("gzip"));
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    page.document.body.insertAdjacentHTML("beforeend", `<p id="payload">${btoa(String.fromCharCode(...bytes))}</p>`);
  }
  page.scrolled = 0;
  page.$("#segments").scrollIntoView = () => { page.scrolled += 1; };
  page.module = (await page.load(script)).default;
  return page;
}
const ready = (page) => until(() => page.document.documentElement.dataset.ready === "yes");

test("the segment browser of a server's page starts", async () => {
  const page = await start("/segments.js");
  await ready(page);
  equal([page.calls, page.options[0].credentials], [[{ method: "GET", path: "/api/browser?outputs=1", body: undefined }], "same-origin"]);
  equal([page.$("#browser-parts").hidden, page.$("#loading").hidden, page.$("#choices").hidden, page.$("#found").textContent], [false, true, false, "2 of 2 segments."]);
  equal([page.$("#second").value, page.$("#words").hidden, page.$("#second").closest("label").hidden, page.$("#words-second").textContent], ["1", false, false, "birch"]);
  equal([page.texts("#grams-words-gained td"), page.texts("#grams-words-lost td"), page.module.state.chosen, page.scrolled], [["z", "1", "0"], ["x", "0", "1"], -1, 0]);
  equal(page.$("#low").closest("label").previousElementSibling.outerHTML,
    '<label>Genre<select class="slice" data-slice="0"><option value="">all</option><option value="0">news (0)</option><option value="1">web (2)</option></select></label>');
  page.change("#second", "2");
  equal(page.$("#words-second").textContent, "cedar");
});

test("a server's page with one system has no words to compare", async () => {
  const page = await start("/segments.js", { data: { ...DATA(), systems: ["alder"] } });
  await ready(page);
  equal([page.$("#words").hidden, page.$("#second").closest("label").hidden, page.$("#words-second").textContent], [true, true, ""]);
  equal(page.module.state.second, 0);
});

test("a server's page opens at the segment of its address", async () => {
  const page = await start("/segments.js", { path: "/page#segment=1" });
  await ready(page);
  equal([page.module.state.chosen, page.$("#detail h3").textContent, page.scrolled], [0, "Segment 1 · web", 1]);
});

test("what the server refuses is said instead of segments", async () => {
  const page = await start("/segments.js", { answer: () => ({ status: 404, json: { error: "no such outputs" } }) });
  await until(() => page.$("#loading").textContent === "no such outputs");
  equal([page.$("#browser-parts").hidden, page.document.documentElement.dataset.ready], [true, undefined]);
});

test("a report starts", async () => {
  const page = await start("/start.js");
  await ready(page);
  equal([page.$("#choices").hidden, page.$("#emphasis").hidden, page.$("#found").textContent, page.$("#second").value, page.module.state.chosen, page.scrolled], [false, true, "2 of 2 segments.", "2", -1, 0]);
  equal([page.texts(".letter"), page.all("[aria-sort]").length, page.document.documentElement.dataset.theme.length > 3], [["A", "", "B"], 0, true]);
});

test("a report of many systems says which ones stand out", async () => {
  const many = (count) => ({ ...DATA(), systems: Array.from({ length: count }, (_, at) => `s${at}`) });
  const page = await start("/start.js", { data: many(8) });
  await ready(page);
  equal(page.$("#emphasis").hidden, false);
  const few = await start("/start.js", { data: many(7) });
  await ready(few);
  equal(few.$("#emphasis").hidden, true);
});

test("a report opens at the view of its address", async () => {
  const page = await start("/start.js", { path: "/page#metric=ter&a=birch&b=alder&segment=2" });
  await ready(page);
  equal([page.$("#detail h3").textContent, page.texts(".letter"), page.all("[aria-sort]").map((one) => one.textContent), page.scrolled], ["Segment 2 · web", ["", "A", "B"], ["TER"], 1]);
});

test("another address shows another view", async () => {
  const page = await start("/start.js");
  await ready(page);
  page.window.location.hash = "segments";
  await settled();
  equal(page.module.state.chosen, -1);
  page.window.location.hash = "metric=bleu&a=cedar&b=birch";
  await until(() => page.texts(".letter").join("-") === "A-B-");
  equal([page.all("[aria-sort]").map((one) => one.textContent), page.module.state.chosen], [["BLEU"], -1]);
  page.window.location.hash = "metric=bleu&a=cedar&segment=2";
  await until(() => page.module.state.chosen === 1);
  equal([page.$("#detail h3").textContent, page.scrolled], ["Segment 2 · web", 1]);
});
