import { equal, open, settled, test, until } from "/tests/harness.js";

const JOB = `<div data-job="/api/jobs/1" data-state="running" %><p class="state"></p>
  <p class="message"></p><progress max="1"></progress></div>`;
const tell = (stream, job) => stream.onmessage({ data: JSON.stringify(job) });

test("jobs that run are followed, others are not", async () => {
  const page = await open(`${JOB}<div data-job="/api/jobs/2" data-state="done"></div>
    <div data-job="/3" data-state="failed"></div><div data-job="/4" data-state="cancelled"></div>
    <div data-job="/5" data-state="waiting"></div>`);
  await page.load("/static/jobs.js");
  equal(page.streams.map((one) => one.path), ["/api/jobs/1/events", "/5/events"]);
});

test("progress of a job is shown", async () => {
  const page = await open(JOB);
  await page.load("/static/jobs.js");
  tell(page.streams[0], { state: "running", message: "half", progress: 0.5 });
  equal([page.$(".state").textContent, page.$(".message").textContent, page.$("progress").value],
    ["running", "half", 0.5]);
  equal([page.streams[0].open, page.loads], [true, 0]);
  await settled();
  equal(page.loads, 0);
});

test("a job without places for its words is followed too", async () => {
  const page = await open('<div data-job="/1" data-state="running"></div>');
  await page.load("/static/jobs.js");
  tell(page.streams[0], { state: "waiting", message: "m", progress: 0.5 });
  equal(page.$("[data-job]").dataset.state, "waiting");
});

test("a job that is done goes on to its page", async () => {
  const page = await open(JOB.replace("%", 'data-next="/result"'));
  await page.load("/static/jobs.js");
  tell(page.streams[0], { state: "done", message: "", progress: 1 });
  equal(page.streams[0].open, false);
  await until(() => page.path === "/result");
});

test("a job that failed, or has no page, is loaded again", async () => {
  for (const [state, next] of [["failed", 'data-next="/result"'], ["cancelled", 'data-next="/result"'], ["done", ""]]) {
    const page = await open(JOB.replace("%", next));
    await page.load("/static/jobs.js");
    tell(page.streams[0], { state, message: "", progress: 1 });
    await until(() => page.loads === 1);
    equal([page.path, page.streams[0].open], ["/page", false]);
  }
});

test("follow gives the stream and every job", async () => {
  const page = await open("");
  const { follow } = await page.load("/static/jobs.js");
  const told = [];
  const stream = follow("/api/jobs/9", (job) => told.push(job.state));
  tell(stream, { state: "running" });
  tell(stream, { state: "failed" });
  equal([told, stream.open], [["running", "failed"], false]);
});

const CAMPAIGN = `<form id="new-campaign" data-api="/api/campaigns" data-page="/campaigns/">
  <input name="name" value="First"><input name="protocol" value="esa"><input name="test_set" value="news">
  <input name="assignment" value="redundant"><input name="redundancy" value="2"><input name="segments" value="">
  <input name="show" value="source,reference"><input name="context" value="0"><input name="degraded" value="0.05">
  <input name="repeated" value="0.1"><textarea name="instructions">Read well.</textarea>
  <textarea name="constituents"></textarea></form>`;

test("the form of a new campaign sends its settings", async () => {
  const page = await open(CAMPAIGN, { answer: () => ({ json: { id: 12 } }) });
  page.window.crypto.getRandomValues = (numbers) => numbers.fill(4_000_000_001);
  await page.load("/static/rating/new_campaign.js");
  equal(page.send("form", "submit"), false);
  await until(() => page.path === "/campaigns/12");
  equal(page.calls, [{ method: "POST", path: "/api/campaigns", body: {
    name: "First", protocol: "esa", test_set: "news", seed: 2_000_000_000, settings: {
      assignment: "redundant", redundancy: 2, show: ["source", "reference"], context: 0, degraded: 0.05,
      repeated: 0.1, instructions: "Read well.", constituents: [] } } }]);
});

test("constituents of a new campaign are lines with tabs", async () => {
  const page = await open(CAMPAIGN, { answer: () => ({ json: { id: 12 } }) });
  await page.load("/static/rating/new_campaign.js");
  page.$("[name=constituents]").value = "3\tein rotes Dach\telm=a red=roof\toak=roof\r\n \n4\tja\n5\n";
  page.send("form", "submit");
  await until(() => page.calls.length);
  const { constituents, degraded, repeated } = page.calls[0].body.settings;
  equal(constituents, [{ segment: 3, text: "ein rotes Dach", outputs: { elm: "a red=roof", oak: "roof" } },
    { segment: 4, text: "ja", outputs: {} }, { segment: 5, text: "", outputs: {} }]);
  equal([degraded, repeated], [0, 0.1]);
});

test("two new campaigns have different seeds", async () => {
  const seeds = new Set();
  for (let turn = 0; turn < 3; turn += 1) {
    const page = await open(CAMPAIGN, { answer: () => ({ json: { id: 12 } }) });
    await page.load("/static/rating/new_campaign.js");
    page.send("form", "submit");
    await until(() => page.calls.length);
    seeds.add(page.calls[0].body.seed);
  }
  equal(seeds.size, 3);
});

test("a campaign that is refused says why, once", async () => {
  const page = await open(CAMPAIGN, { answer: () => ({ status: 422, json: { error: "name: taken" } }) });
  await page.load("/static/rating/new_campaign.js");
  page.send("form", "submit");
  await until(() => page.all("[role=alert]").length);
  page.send("form", "submit");
  await until(() => page.calls.length === 2);
  await settled();
  equal(page.all("[role=alert]").map((one) => one.outerHTML), ['<p class="problem" role="alert">name: taken</p>']);
  equal(page.path, "/page");
});

test("a page without the form of a new campaign is left alone", async () => {
  const page = await open("<p>");
  await page.load("/static/rating/new_campaign.js");
});

const EXPLAIN = `<form id="explain" data-address="/api/explain"><textarea name="hypothesis">the cat</textarea>
  <textarea name="references">a cat\n\n  \nthe cats</textarea>
  <select name="metrics" multiple><option selected>bleu</option><option>ter</option><option selected>chrf</option></select>
  <button>Explain</button><p role="alert" hidden></p></form><div id="explained"></div>`;
const BLEU = { title: "BLEU", text: "12.3", higher_is_better: true, signature: "bleu|v", trace: ["a", "b"],
  components: [{ group: "1-gram", name: "precision", value: 0.123456789, note: "2 of 3" },
    { group: "", name: "penalty", value: null, note: null }] };

test("why a text scores what it does", async () => {
  const ter = { title: "TER", text: "50.0", higher_is_better: false, signature: "ter|v", trace: [], components: [] };
  const page = await open(EXPLAIN, { answer: () => ({ json: [BLEU, ter] }) });
  await page.load("/static/explain.js");
  equal(page.send("form", "submit"), false);
  await until(() => page.all(".explanation").length === 2);
  equal(page.calls, [{ method: "POST", path: "/api/explain", body: {
    hypothesis: "the cat", references: ["a cat", "the cats"], metrics: ["bleu", "chrf"] } }]);
  equal(page.$("#explained").innerHTML,
    '<article class="explanation"><h2>BLEU 12.3</h2><table class="parts">'
    + "<tr><td>1-gram precision</td><td>0.123457</td><td>2 of 3</td></tr>"
    + "<tr><td>penalty</td><td>–</td><td></td></tr></table>"
    + '<pre dir="auto" tabindex="0">a\nb</pre><p class="remark">bleu|v</p></article>'
    + '<article class="explanation"><h2>TER 50.0 (less is better)</h2><table class="parts"></table>'
    + '<p class="remark">ter|v</p></article>');
  equal(page.$("[role=alert]").hidden, true);
});

test("what cannot be explained says why and shows nothing old", async () => {
  const page = await open(EXPLAIN, { answer: () => ({ json: [BLEU] }) });
  await page.load("/static/explain.js");
  page.send("form", "submit");
  await until(() => page.all(".explanation").length);
  page.answer = () => ({ status: 422, json: { error: "no references" } });
  page.send("form", "submit");
  await until(() => !page.$("[role=alert]").hidden);
  equal([page.$("[role=alert]").textContent, page.$("#explained").innerHTML], ["no references", ""]);
  page.answer = () => ({ json: [BLEU] });
  page.send("form", "submit");
  await until(() => page.all(".explanation").length);
  equal(page.$("[role=alert]").hidden, true);
});

test("what is told only once is shown with a button to copy it", async () => {
  const page = await open('<form data-shown-once="token"></form>');
  await page.load("/static/shown_once.js");
  const saved = (detail) => page.$("form").dispatchEvent(
    new page.window.CustomEvent("saved", { detail, bubbles: true }));
  saved({ token: "old" });
  saved({ token: "secret" });
  equal(page.$("form").innerHTML, '<p class="shown-once notice" role="status">Copy it now; it is not shown again: '
    + '<input readonly="" aria-label="Copy it now; it is not shown again"><button type="button">Copy</button></p>');
  equal(page.$("input").value, "secret");
  const copied = [];
  const clipboard = { writeText: async (text) => { copied.push(text); } };
  Object.defineProperty(page.window.navigator, "clipboard", { value: clipboard, configurable: true });
  page.$("button").click();
  await until(() => page.$("button").textContent === "Copied");
  equal(copied, ["secret"]);
  equal([page.$("input").selectionStart, page.$("input").selectionEnd], [0, 6]);
  clipboard.writeText = async () => { throw new Error("denied"); };
  page.$("button").click();
  await until(() => page.$("button").textContent === "Press Ctrl-C");
});

test("several lines that are told only once are shown as lines", async () => {
  const page = await open('<form data-shown-once="csv"></form>');
  await page.load("/static/shown_once.js");
  page.$("form").dispatchEvent(
    new page.window.CustomEvent("saved", { detail: { csv: "label,link\nAnn,x\n" }, bubbles: true }));
  equal([page.$("textarea").value, page.$("textarea").rows], ["label,link\nAnn,x\n", 3]);
});

test("a form that shows nothing is left alone", async () => {
  const page = await open("<form></form>");
  await page.load("/static/shown_once.js");
  page.$("form").dispatchEvent(new page.window.CustomEvent("saved", { detail: {}, bubbles: true }));
  equal(page.$("form").innerHTML, "");
});

const IMPORT = `<form id="import" data-base="/api/names"><select name="target"><option>ref-1</option><option selected>out-2</option></select>
  <select name="format"><option>none</option><option>muc</option><option>conll</option><option>jsonl</option></select>
  <input type="file" name="file"><button>Send</button></form>`;

test("a file of names goes to the text that was chosen", async () => {
  const replies = [{ status: 422, json: { error: "not MUC" } }, { json: {} }];
  const page = await open(IMPORT, { answer: () => replies.shift() });
  await page.load("/static/names/import.js");
  equal(page.document.documentElement.dataset.ready, "yes");
  equal(page.send("form", "submit"), false);
  await until(() => page.all("[role=alert]").length);
  equal([page.calls[0].method, page.calls[0].path], ["POST", "/api/names/out-2/file"]);
  equal([...page.calls[0].body.keys()], ["format", "file"]);
  await settled();
  equal(page.$("[name=target]").disabled, false);
  page.$("[name=target]").value = "ref-1";
  page.send("form", "submit");
  await until(() => page.loads === 1);
  equal(page.calls.map((one) => one.path), ["/api/names/out-2/file", "/api/names/ref-1/file"]);
});

test("the name of a file tells its format", async () => {
  const page = await open(IMPORT);
  await page.load("/static/names/import.js");
  const kinds = { "a.MUC": "muc", "a.sgm": "muc", "a.sgml": "muc", "a.txt": "muc", "a.conll": "conll",
    "a.conll2003": "conll", "a.iob": "conll", "a.ob2": "conll", "a.bio": "conll", "a.tsv": "conll",
    "a.json": "jsonl", "a.jsonl": "jsonl", "a.ndjson": "jsonl", "a.muc.gz": "none", "a.pdf": "none",
    "muc": "none", "a.jsonld": "none" };
  for (const [name, format] of Object.entries(kinds)) {
    page.$("[name=format]").value = "none";
    const files = new page.window.DataTransfer();
    files.items.add(new page.window.File(["x"], name));
    page.$("[name=file]").files = files.files;
    page.send("[name=file]", "change");
    equal(page.$("[name=format]").value, format, name);
  }
  page.$("[name=format]").value = "none";
  page.$("[name=file]").value = "";
  page.send("[name=file]", "change");
  equal(page.$("[name=format]").value, "none");
});

const theme = async (dark, chosen) => {
  const page = await open('<button id="theme"></button>');
  const list = new page.window.EventTarget();
  list.matches = dark;
  page.asked = [];
  page.window.matchMedia = (query) => { page.asked.push(query); return list; };
  if (chosen) localStorage.setItem("tertium-theme", chosen);
  await page.load("/static/theme.js");
  page.send(page.document, "DOMContentLoaded");
  page.system = list;
  page.theme = () => page.document.documentElement.dataset.theme;
  return page;
};

test("light or dark is what was chosen, else what the system says", async () => {
  equal((await theme(true, null)).theme(), "dark");
  const page = await theme(false, null);
  equal([page.theme(), page.asked], ["light", ["(prefers-color-scheme: dark)"]]);
  equal((await theme(true, "light")).theme(), "light");
  equal((await theme(false, "dark")).theme(), "dark");
});

test("the button changes light and dark, and remembers it", async () => {
  const page = await theme(false, null);
  page.$("#theme").click();
  equal([page.theme(), localStorage.getItem("tertium-theme")], ["dark", "dark"]);
  page.$("#theme").click();
  equal([page.theme(), localStorage.getItem("tertium-theme")], ["light", "light"]);
  page.window.Storage.prototype.setItem = () => { throw new Error("private"); };
  page.$("#theme").click();
  equal(page.theme(), "dark");
});

test("the system's change is followed", async () => {
  const page = await theme(false, null);
  page.system.matches = true;
  page.system.dispatchEvent(new page.window.Event("change"));
  equal(page.theme(), "dark");
});

test("without storage the system decides", async () => {
  const page = await open("");
  page.window.Storage.prototype.getItem = () => { throw new Error("private"); };
  page.window.matchMedia = () => ({ matches: true, addEventListener() {} });
  await page.load("/static/theme.js");
  page.send(page.document, "DOMContentLoaded");
  equal(page.document.documentElement.dataset.theme, "dark");
});
