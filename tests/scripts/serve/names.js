import { equal, open, settled, test, until } from "/tests/harness.js";

const record = (text, names = [], segment = 0, direction = "ltr") => ({ segment, text, direction, names });
const name = (start, end, type, origin = "hand") => ({ start, end, type, origin });
const tint = (type) => `t-${type}`;

async function layout(text, names = []) {
  const page = await open("<p></p>");
  page.module = await page.load("/static/names/layout.js");
  page.segment = new page.module.Segment(record(text, names, 4, "auto"));
  page.draw = (picked = null) => page.module.draw(page.$("p"), page.segment, picked, tint);
  page.pieces = () => page.all(".piece").map((one) => [one.textContent, one.className.replace("piece", "").trim()]);
  return page;
}

test("a segment knows its words in code points", async () => {
  const { segment } = await layout("🙂 Ann's a🙂b.");
  equal([segment.number, segment.direction, segment.text, segment.guesses, segment.names], [4, "auto", "🙂 Ann's a🙂b.", [], []]);
  equal(segment.words.map(({ start, end }) => segment.surface(start, end)), ["🙂", "Ann's", "a", "🙂", "b", "."]);
  equal(segment.words[1], { start: 2, end: 7 });
  equal(segment.units, [0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14]);
  equal([0, 1, 2, 3, 14].map((unit) => segment.point(unit)), [0, 1, 1, 2, 12]);
});

test("blanks at the ends are no part of a name", async () => {
  const { segment } = await layout(" a b  ");
  equal([segment.trimmed(0, 6), segment.trimmed(1, 2), segment.trimmed(2, 3), segment.trimmed(4, 6), segment.trimmed(0, 2)],
    [{ start: 1, end: 4 }, { start: 1, end: 2 }, null, null, { start: 1, end: 2 }]);
});

test("names and guesses at some words", async () => {
  const { segment } = await layout("one two three", [name(0, 3, "A"), name(0, 7, "B")]);
  segment.guesses = [name(8, 13, "C")];
  equal([segment.namesAt(0, 3), segment.namesAt(3, 4), segment.namesAt(7, 13)].map((some) => some.map((one) => one.type)),
    [["A", "B"], ["B"], []]);
  equal([segment.guessAt(0, 8), segment.guessAt(12, 13)?.type, segment.guessAt(13, 14)], [undefined, "C", undefined]);
});

test("a segment without names is words and gaps", async () => {
  const page = await layout("Ab c");
  page.draw();
  equal(page.$("p").innerHTML, '<span class="piece" data-start="0" data-end="2">Ab</span>'
    + '<span class="piece" data-start="2" data-end="3"> </span><span class="piece" data-start="3" data-end="4">c</span>');
});

test("names show type, ends and nesting", async () => {
  const page = await layout("New York Times here", [name(0, 14, "ORG"), name(0, 8, "LOC", "file"), name(4, 8, "X")]);
  page.draw();
  equal(page.pieces(), [["New", "named t-LOC nested from"], [" ", "named t-LOC nested"], ["York", "named t-X nested from to"],
    [" ", "named t-ORG"], ["Times", "named t-ORG to"], [" ", ""], ["here", ""]]);
  equal(page.all(".piece").map((one) => one.dataset.label), [undefined, undefined, "LOC + X", undefined, "ORG", undefined, undefined]);
  equal(page.all(".piece")[2].title, "ORG: New York Times (hand)\nLOC: New York (file)\nX: York (hand)");
});

test("guesses show their type with a question mark", async () => {
  const page = await layout("Ann Lee left");
  page.segment.guesses = [{ ...name(0, 7, "PERSON"), source: "others" }];
  page.draw();
  equal(page.pieces(), [["Ann", "guess"], [" ", "guess"], ["Lee", "guess to"], [" ", ""], ["left", ""]]);
  equal([page.all(".piece")[0].title, page.all(".piece")[0].dataset.label, page.all(".piece")[2].dataset.label],
    ["PERSON? from others", undefined, "PERSON?"]);
});

test("what is picked is cut to the character", async () => {
  const page = await layout("Annegret Lee");
  page.draw({ start: 4, end: 10 });
  equal(page.pieces(), [["Anne", ""], ["gret", "picked"], [" ", "picked"], ["L", "picked"], ["ee", ""]]);
});

const PAIRS = `<p id="saving"></p><ol id="pairs" data-api="/api/changes">
  <li><button data-choice="first">1</button><button data-choice="second">2</button><button data-choice="">0</button></li>
  <li><button data-choice="first">1</button></li><li><b>decided</b></li></ol><input>`;
const one = (start, end, type) => ({ segment: 0, start, end, type });

async function decisions(answer = () => ({ json: {} })) {
  const page = await open(PAIRS, { answer });
  const rows = page.all("li");
  rows[0].dataset.pair = JSON.stringify({ first: [one(0, 3, "A"), one(5, 6, "X")], second: [one(0, 3, "A"), one(0, 4, "A")] });
  rows[1].dataset.pair = JSON.stringify({ first: [one(1, 2, "B")], second: [] });
  rows[2].dataset.pair = JSON.stringify({ first: [], second: [] });
  await page.load("/static/names/decisions.js");
  page.current = () => page.all("li").map((row) => row.classList.contains("current")).indexOf(true);
  page.sent = () => page.calls.flatMap((call) => call.body.changes.map(({ client_key: _, ...rest }) => rest));
  return page;
}
const add = (change) => ({ ...change, action: "add", origin: "adjudication" });
const removal = (change) => ({ ...change, action: "remove", origin: "adjudication" });

test("arrows and letters go through differences", async () => {
  const page = await decisions();
  equal([page.current(), page.document.documentElement.dataset.ready], [0, "yes"]);
  const walk = [];
  for (const key of ["ArrowDown", "j", "j", "ArrowUp", "k", "k"]) { equal(page.press(key), true); walk.push(page.current()); }
  equal(walk, [1, 2, 2, 1, 0, 0]);
  equal([page.press("x"), page.press("1", { on: page.$("input") }), page.press("1", { ctrlKey: true }), page.press("1", { altKey: true }),
    page.press("1", { metaKey: true }), page.calls], [false, false, false, false, false, []]);
});

test("a digit decides for one annotator and goes on", async () => {
  const page = await decisions();
  page.press("1");
  await until(() => page.calls.length);
  equal(page.sent(), [removal(one(0, 4, "A")), add(one(0, 3, "A")), add(one(5, 6, "X"))]);
  equal([page.all("li")[0].className, page.all("li")[0].dataset.choice, page.current()], ["done", "first", 1]);
});

test("the second annotator, and neither", async () => {
  const page = await decisions();
  page.press("2");
  await until(() => page.$("#saving").dataset.state === "saved");
  equal(page.sent(), [removal(one(5, 6, "X")), add(one(0, 3, "A")), add(one(0, 4, "A"))]);
  page.calls.length = 0;
  page.press("0");
  await until(() => page.calls.length);
  equal([page.sent(), page.all("li")[1].dataset.choice], [[removal(one(1, 2, "B"))], "neither"]);
  page.calls.length = 0;
  page.press("1");  // has no buttons: nothing to decide
  await settled();
  equal([page.calls, page.current()], [[], 2]);
});

test("differences are decided by clicks", async () => {
  const page = await decisions();
  page.click(page.all("li")[1]);
  equal([page.current(), page.calls], [1, []]);
  page.click(page.all("li")[0].querySelectorAll("button")[2]);
  await until(() => page.calls.length);
  equal([page.all("li")[0].dataset.choice, page.current()], ["neither", 1]);
  page.click("#pairs");
  equal(page.current(), 1);
});

test("refused decisions load the page again", async () => {
  const page = await decisions(() => ({ status: 422, json: { error: "no" } }));
  page.press("1");
  await until(() => page.loads === 1);
});

test("stored decisions do not", async () => {
  const page = await decisions();
  page.press("1");
  await until(() => page.$("#saving").dataset.state === "saved");
  await settled();
  equal(page.loads, 0);
});

const SIDE = `<div id="bench" data-types='["PERSON","LOC"]' data-document="doc 1" data-scores="/api/scores"></div>
  <select id="source"><option value="">nobody</option><option>others</option></select>
  <select id="unit"><option>article</option><option>paragraph</option></select><p id="listed"></p><ul id="names"></ul>
  <table><tbody id="live"></tbody></table><p id="no-scores"></p><p id="suggested"></p><button id="accept"></button>`;
const LISTS = [{ unit: "doc 0", names: [] }, { unit: "doc 1", names: [
  { text: "Ann", types: ["PERSON", "OTHER"], segments: [0, 3] }, { text: "Rome", types: ["LOC"], segments: [1] }] }];
const PARAGRAPHS = [{ unit: "1", names: [{ text: "Ann", types: ["PERSON"], segments: [0] }] }, { unit: "2", names: [] }];
const SCORES = { systems: [{ system: "elm", human: false, total: { found: 1.25, listed: 3 } },
  { system: "ref", human: true, total: { found: 0, listed: 0 } }] };

async function side(replies = {}) {
  const known = { lists: ({ path }) => (path.includes("unit=paragraph") ? PARAGRAPHS : LISTS), scores: () => SCORES, suggestions: () => [], ...replies };
  const page = await open(SIDE, { answer: (call) => {
    const kind = /(lists|scores|suggestions)/.exec(call.path)[1];
    const reply = known[kind](call);
    return reply?.status ? reply : { json: reply };
  } });
  const { Side } = await page.load("/static/names/side.js");
  page.guesses = [];
  const query = new URLSearchParams({ annotator: "ann", start: "0" });
  page.side = new Side(page.$("#bench"), "/api/text", query, (found) => page.guesses.push(found));
  return page;
}

test("names of the article are listed", async () => {
  const page = await side();
  await page.side.update();
  equal(page.calls.map((call) => call.path), ["/api/text/lists?annotator=ann&unit=article", "/api/scores"]);
  equal(page.$("#listed").textContent, "2 names");
  equal(page.$("#names").innerHTML.replaceAll(' class=""', ""), '<li><span class="type t1">PERSON</span><span class="type t9">OTHER</span><bdi>Ann</bdi>'
    + '<span class="times">× 2</span></li><li><span class="type t2">LOC</span><bdi>Rome</bdi></li>');
});

test("names of the paragraph follow the annotator", async () => {
  const page = await side();
  page.change("#unit", "paragraph");
  await until(() => page.$("#listed").textContent === "1 name");
  page.side.at(1);
  equal([page.$("#listed").textContent, page.$("#names").innerHTML], ["0 names", ""]);
  page.side.at(0);
  equal(page.$("#listed").textContent, "1 name");
  page.side.at(7);
  equal(page.$("#listed").textContent, "1 name");
  page.change("#unit", "article");
  await until(() => page.$("#listed").textContent === "2 names");
  page.$("#listed").textContent = "";
  page.side.at(1);
  equal(page.$("#listed").textContent, "");
});

test("a text without lists has no names", async () => {
  const page = await side({ lists: () => [] });
  await page.side.update();
  equal(page.$("#listed").textContent, "0 names");
});

test("scores that follow from the names", async () => {
  const page = await side();
  await page.side.update();
  equal(page.$("#live").innerHTML.replaceAll(' class=""', ""), "<tr><th><bdi>elm</bdi></th><td>41.67</td><td>1.3 of 3</td></tr>"
    + '<tr><th class="human"><bdi>ref</bdi></th><td>100.00</td><td>0 of 0</td></tr>');
  equal(page.$("#no-scores").hidden, true);
});

test("no scores yet are said", async () => {
  const page = await side({ scores: () => ({ systems: [] }) });
  page.$("#no-scores").hidden = true;
  await page.side.update();
  equal(page.$("#no-scores").hidden, false);
});

test("an output has no scores of its own", async () => {
  const page = await side();
  page.side.scores = "";
  await page.side.score();
  equal(page.calls, []);
});

test("what cannot be listed says why", async () => {
  const page = await side({ lists: () => ({ status: 500, json: { error: "broken" } }) });
  await page.side.update();
  equal(page.$("#listed").textContent, "broken");
});

test("suggestions are asked for, counted and told", async () => {
  const found = [{ segment: 0, start: 0, end: 3, type: "PERSON", origin: "system", source: "others" }];
  const page = await side({ suggestions: () => found });
  page.change("#source", "others");
  await until(() => page.guesses.length);
  equal(page.calls.map((call) => call.path), ["/api/text/suggestions?annotator=ann&start=0&source=others"]);
  equal([page.$("#suggested").textContent, page.$("#accept").disabled, page.guesses],
    ["1 suggested. Enter takes one, n goes to the next.", false, [found]]);
  await page.side.update();
  equal(page.guesses.length, 2);
  page.change("#source", "");
  await settled();
  equal([page.$("#suggested").textContent, page.$("#accept").disabled, page.guesses.at(-1)], ["", true, []]);
  const before = page.calls.length;
  await page.side.update();
  equal(page.calls.slice(before).some((call) => call.path.includes("suggestions")), false);
});

test("nothing to suggest, and what cannot be suggested", async () => {
  const page = await side();
  page.change("#source", "others");
  await until(() => page.guesses.length);
  equal([page.$("#suggested").textContent, page.$("#accept").disabled], ["Nothing more to suggest here.", true]);
  const other = await side({ suggestions: () => ({ status: 422, json: { error: "no tagger" } }) });
  other.change("#source", "others");
  await until(() => other.$("#suggested").textContent);
  equal([other.$("#suggested").textContent, other.guesses], ["no tagger", []]);
});

test("suggestions that come too late are dropped", async () => {
  const releases = [];
  const page = await side({ suggestions: () => new Promise((then) => { releases.push(then); }) });
  page.answer = async () => ({ json: await new Promise((then) => { releases.push(then); }) });
  page.change("#source", "others");
  page.change("#source", "others");
  await until(() => releases.length === 2);
  releases[1]([{ segment: 1 }]);
  await until(() => page.guesses.length);
  releases[0]([{ segment: 0 }]);
  await settled();
  equal(page.guesses, [[{ segment: 1 }]]);
  page.change("#source", "others");
  await until(() => releases.length === 3);
  page.$("#source").value = "";
  releases[2]([{ segment: 2 }]);
  await settled();
  equal(page.guesses, [[{ segment: 1 }]]);
});

test("lists and scores that come too late are dropped", async () => {
  const page = await side();
  const releases = [];
  page.answer = async () => ({ json: await new Promise((then) => { releases.push(then); }) });
  const done = [page.side.list(), page.side.list(), page.side.score(), page.side.score()];
  await until(() => releases.length === 4);
  releases[1](LISTS);
  releases[3](SCORES);
  await until(() => page.$("#listed").textContent === "2 names" && page.all("#live tr").length === 2);
  releases[0]([]);
  releases[2]({ systems: [] });
  await Promise.all(done);
  equal([page.$("#listed").textContent, page.all("#live tr").length], ["2 names", 2]);
});
