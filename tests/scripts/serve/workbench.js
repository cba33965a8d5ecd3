import { equal, open, settled, test, until } from "/tests/harness.js";

const HTML = `<h1>Names</h1><p id="saving" data-state="saved"></p><select id="article"><option value="?start=0">a</option><option value="?start=100">b</option></select>
  <div id="bench" data-api="/api/text" data-annotator="ann" data-document="%D" data-start="0" data-limit="100" data-editable="%E"
    data-types='["PERSON","ORG","LOC"]' data-scores="">
  <div id="types"><button data-type="PERSON"></button><button data-type="ORG"></button><button data-type="LOC"></button>
  <form id="other"><input name="type" required pattern="[A-Z]+"></form><button id="remove"></button><button id="undo"></button></div>
  <span id="chosen"></span><ol id="segments"></ol></div>
  <select id="source"><option value="">nobody</option><option>others</option></select><button id="accept" disabled></button>
  <p id="suggested"></p><table><tbody id="live"></tbody></table><p id="no-scores"></p>
  <select id="unit"><option>article</option><option>paragraph</option></select><p id="listed"></p><ul id="names"></ul>
  <details id="keys"><summary>Keys</summary></details>`;
const name = (start, end, type, origin = "hand") => ({ start, end, type, origin });
const SEGMENTS = () => [
  { segment: 0, text: "Ann Lee met Bob .", direction: "ltr", names: [name(0, 7, "PERSON")] },
  { segment: 1, text: "He left Rome .", direction: "ltr", names: [] },
  { segment: 2, text: "הבית הישן עומד", direction: "auto", names: [name(0, 4, "X")] }];

async function bench({ segments = SEGMENTS(), guesses = [], editable = "yes", path = "/page", article = "", refuse = null, plain = false } = {}) {
  const page = await open(HTML.replace("%E", editable).replace("%D", article), { path });
  page.store = segments;
  page.guesses = guesses;
  page.refuse = refuse;
  page.answer = ({ method, path: asked }) => {
    if (method === "POST") return page.refuse ?? { json: {} };
    if (asked.includes("/suggestions")) return { json: page.guesses };
    if (asked.includes("/lists")) return { json: [{ unit: "1", names: [] }, { unit: "3", names: [{ text: "x", types: ["X"], segments: [2] }] }] };
    return { json: { segments: page.store } };
  };
  if (plain) page.$("#article").remove();
  page.scrolled = 0;
  page.window.Element.prototype.scrollIntoView = () => { page.scrolled += 1; };
  await page.load("/static/names/workbench.js");
  await until(() => page.document.documentElement.dataset.ready === "yes");
  page.chosen = () => page.$("#chosen").textContent;
  page.current = () => page.all("#segments li").map((one) => one.classList.contains("current")).indexOf(true);
  page.sent = () => page.calls.filter((call) => call.method === "POST")
    .flatMap((call) => call.body.changes.map(({ client_key: _, ...rest }) => rest));
  page.saved = () => until(() => page.$("#saving").dataset.state === "saved");
  page.labels = (row) => [...page.all("#segments li")[row].querySelectorAll(".named.to")].map((one) => `${one.dataset.label}`);
  page.word = (row, text) => [...page.all("#segments li")[row].querySelectorAll(".piece")].find((one) => one.textContent === text);
  page.keys = (...keys) => { for (const key of keys) page.press(key); };
  page.suggest = async (found) => {
    page.guesses = found;
    page.change("#source", "others");
    await until(() => page.$("#suggested").textContent);
  };
  page.disabled = () => page.all("button").filter((one) => one.disabled).map((one) => one.dataset.type ?? one.id);
  return page;
}
const change = (action, segment, start, end, type, origin = "hand", more = {}) => ({ action, segment, start, end, type, origin, ...more });

test("segments are shown with numbers, names and direction", async () => {
  const page = await bench();
  equal(page.calls[0], { method: "GET", path: "/api/text?annotator=ann&start=0&limit=100", body: undefined });
  equal(page.all("#segments li").map((row) => [row.dataset.segment, row.children[0].className, row.children[0].textContent,
    row.children[1].className, row.children[1].dir, row.children[1].textContent]), [["0", "number", "1", "words", "ltr", "Ann Lee met Bob ."],
    ["1", "number", "2", "words", "ltr", "He left Rome ."], ["2", "number", "3", "words", "auto", "הבית הישן עומד"]]);
  equal([page.current(), page.chosen(), page.labels(0), page.disabled()], [0, "Ann", ["PERSON"], ["accept"]]);
  equal(page.all(".picked").length, 1);
  equal(page.$(".named").className, "piece named t1 from picked");
  equal(page.word(2, "הבית").className, "piece named t9 from to");
});

test("one document is asked for by its name", async () => {
  const page = await bench({ article: "doc 1" });
  equal(page.calls[0].path, "/api/text?annotator=ann&start=0&limit=100&document=doc+1");
});

test("an address may name a segment", async () => {
  const page = await bench({ path: "/page?segment=2" });
  equal([page.current(), page.chosen()], [1, "He"]);
  equal((await bench({ path: "/page?segment=9" })).current(), 0);
  equal((await bench({ path: "/page?segment=1" })).current(), 0);
});

test("arrows go between segments and words", async () => {
  const page = await bench();
  const walk = [];
  for (const key of ["ArrowDown", "ArrowRight", "j", "j", "ArrowUp", "k", "k"]) {
    equal(page.press(key), true, key);
    walk.push([page.current(), page.chosen()]);
  }
  equal(walk, [[1, "He"], [1, "left"], [2, "הבית"], [2, "הבית"], [1, "He"], [0, "Ann"], [0, "Ann"]]);
  page.keys("ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight");
  equal(page.chosen(), ".");
  page.keys("ArrowLeft");
  equal(page.chosen(), "Bob");
  equal(page.all(".picked").map((one) => one.textContent), ["Bob"]);
  page.keys("ArrowDown");
  equal(page.all(".picked").map((one) => one.textContent), ["He"]);
});

test("Shift extends, Alt goes by character", async () => {
  const page = await bench();
  page.press("ArrowRight", { shiftKey: true });
  page.press("ArrowRight", { shiftKey: true });
  equal(page.chosen(), "Ann Lee met");
  page.press("ArrowLeft", { shiftKey: true });
  equal(page.chosen(), "Ann Lee");
  page.press("ArrowLeft", { altKey: true });
  equal(page.chosen(), "Ann Le");
  page.press("ArrowRight", { altKey: true });
  page.press("ArrowRight", { altKey: true });
  equal(page.chosen(), "Ann Lee ");
  page.keys("ArrowLeft");
  equal(page.chosen(), "Ann");
  for (let turn = 0; turn < 5; turn += 1) page.press("ArrowLeft", { altKey: true });
  equal(page.chosen(), "A");
  page.keys("ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight");
  page.press("ArrowRight", { altKey: true });
  equal(page.chosen(), ".");
  page.press("ArrowLeft", { shiftKey: true });
  page.press("ArrowLeft", { shiftKey: true });
  equal(page.chosen(), "met Bob .");
});

test("in a text that runs to the left, left is onward", async () => {
  const page = await bench();
  page.keys("j", "j", "ArrowLeft");
  equal(page.chosen(), "הישן");
  page.keys("ArrowRight");
  equal(page.chosen(), "הבית");
});

test("a digit marks, and undo takes it back", async () => {
  const page = await bench();
  page.keys("j", "ArrowRight", "ArrowRight", "3");
  await page.saved();
  equal(page.calls.at(-1).path.split("?")[0], "/api/text/lists");
  equal(page.calls.find((call) => call.method === "POST").path, "/api/text/changes?annotator=ann");
  equal([page.sent(), page.labels(1)], [[change("add", 1, 8, 12, "LOC")], ["LOC"]]);
  equal(page.chosen(), "Rome");
  page.keys("u");
  await page.saved();
  equal([page.sent().slice(1), page.labels(1)], [[change("remove", 1, 8, 12, "LOC")], []]);
  page.keys("u");
  await settled();
  equal(page.sent().length, 2);
});

test("a digit without a type marks nothing", async () => {
  const page = await bench();
  equal([page.press("4"), page.press("9"), page.press("q")], [false, false, false]);
  equal(page.sent(), []);
});

test("a name under the cursor gets another type", async () => {
  const page = await bench();
  page.keys("2");
  await page.saved();
  equal(page.sent(), [change("retype", 0, 0, 7, "ORG", "hand", { was: "PERSON" })]);
  equal(page.labels(0), ["ORG"]);
  page.keys("2");
  await settled();
  equal(page.sent().length, 1);
  page.keys("u");
  await page.saved();
  equal([page.sent().at(-1), page.labels(0)], [change("retype", 0, 0, 7, "PERSON", "hand", { was: "ORG" }), ["PERSON"]]);
});

test("exactly what is picked is a name of its own inside another", async () => {
  const page = await bench();
  page.press("ArrowLeft", { altKey: true });
  equal(page.chosen(), "An");
  page.keys("3");
  await page.saved();
  equal([page.sent(), page.labels(0)], [[change("add", 0, 0, 2, "LOC")], ["LOC", "PERSON"]]);
  page.keys("2");
  await page.saved();
  equal(page.sent().at(-1), change("retype", 0, 0, 2, "ORG", "hand", { was: "LOC" }));
});

test("several words inside a name are a name of their own", async () => {
  const page = await bench({ segments: [{ segment: 0, text: "New York Times here", direction: "ltr", names: [name(0, 14, "ORG")] }] });
  page.press("ArrowRight", { shiftKey: true });
  page.keys("3");
  await page.saved();
  equal(page.sent(), [change("add", 0, 0, 8, "LOC")]);
  equal(page.all(".nested").map((one) => one.textContent).join(""), "New York");
  page.keys("ArrowLeft", "1");  // the innermost name at a word
  await page.saved();
  equal(page.sent().at(-1), change("retype", 0, 0, 8, "PERSON", "hand", { was: "LOC" }));
});

test("names are removed by Delete, Backspace, 0 and a button", async () => {
  for (const act of [(page) => page.press("Delete"), (page) => page.press("Backspace"), (page) => page.press("0"), (page) => page.$("#remove").click()]) {
    const page = await bench();
    act(page);
    await page.saved();
    equal([page.sent(), page.labels(0), page.$("#remove").disabled], [[change("remove", 0, 0, 7, "PERSON")], [], true]);
    page.keys("Delete");
    page.$("#undo").click();
    await page.saved();
    equal([page.sent().slice(1), page.labels(0)], [[change("add", 0, 0, 7, "PERSON")], ["PERSON"]]);
  }
});

test("buttons mark, and say what can be done", async () => {
  const page = await bench();
  page.keys("j");
  equal(page.disabled(), ["remove", "accept"]);
  page.click("[data-type=ORG]");
  await page.saved();
  equal([page.sent(), page.disabled()], [[change("add", 1, 0, 2, "ORG")], ["accept"]]);
  page.click("#types");
  equal(page.sent().length, 1);
});

test("another type is typed, if it is one", async () => {
  const page = await bench();
  page.keys("j");
  page.$("#other input").value = "planet";
  equal(page.send("#other", "submit"), false);
  page.$("#other input").value = "PLANET";
  page.$("#other input").focus();
  page.send("#other", "submit");
  await page.saved();
  equal(page.sent(), [change("add", 1, 0, 2, "PLANET")]);
  equal(page.document.activeElement === page.document.body, true);
  equal(page.$("[data-label=PLANET]").classList.contains("t4"), true);
  page.keys("ArrowRight", "4");
  await page.saved();
  equal(page.sent().at(-1), change("add", 1, 3, 7, "PLANET"));
  page.keys("ArrowRight");
  page.$("#other input").value = "LOC";
  page.send("#other", "submit");
  page.keys("ArrowRight", "5");
  await page.saved();
  equal(page.sent().length, 3);
});

test("who may not edit changes nothing", async () => {
  const page = await bench({ editable: "no" });
  equal(page.disabled(), ["PERSON", "ORG", "LOC", "remove", "accept"]);
  page.keys("2", "Delete", "0");
  await settled();
  equal(page.sent(), []);
});

test("keys in fields are left alone", async () => {
  const page = await bench();
  for (const where of ["#other input", "#source", "summary"]) equal(page.press("2", { on: page.$(where) }), false, where);
  equal([page.press("2", { ctrlKey: true }), page.press("2", { metaKey: true })], [false, false]);
  equal(page.press("Enter", { on: page.$("#undo") }), false);
  equal(page.press("2", { on: page.$("#undo") }), true);
  await page.saved();
  equal(page.sent().length, 1);
});

test("the question mark shows the keys", async () => {
  const page = await bench();
  equal([page.press("?"), page.$("#keys").open], [true, true]);
  page.press("?");
  equal(page.$("#keys").open, false);
});

test("a page without segments takes no key", async () => {
  const page = await bench({ segments: [], plain: true });
  equal([page.press("ArrowDown"), page.press("1"), page.current()], [false, false, -1]);
});

test("n and N go to the next and the last name", async () => {
  const page = await bench();
  page.keys("ArrowRight");
  const walk = [];
  for (const key of ["n", "n", "N", "N", "n"]) { page.press(key); walk.push([page.current(), page.chosen()]); }
  equal(walk, [[2, "הבית"], [2, "הבית"], [0, "Ann Lee"], [0, "Ann Lee"], [2, "הבית"]]);
  page.press("N");
  page.press("ArrowRight", { shiftKey: true });
  equal(page.chosen(), "Ann Lee met");
  const other = await bench({ segments: [{ segment: 0, text: "a b c d", direction: "ltr", names: [name(2, 3, "X"), name(6, 7, "X")] }] });
  other.keys("n", "n");
  equal(other.chosen(), "d");
  other.keys("N");
  equal(other.chosen(), "b");
});

const guess = (segment, start, end, type) => ({ segment, start, end, type, origin: "system", source: "others" });

test("Enter takes a suggestion and goes to the next", async () => {
  const page = await bench();
  await page.suggest([guess(0, 12, 15, "PERSON"), guess(1, 8, 12, "LOC")]);
  equal(page.texts(".guess"), ["Bob", "Rome"]);
  equal([page.press("Enter"), page.sent()], [true, []]);
  page.keys("n");
  equal([page.current(), page.chosen()], [0, "Bob"]);
  page.guesses = [guess(1, 8, 12, "LOC")];
  page.keys("Enter");
  await page.saved();
  equal([page.sent(), page.current(), page.chosen()], [[change("add", 0, 12, 15, "PERSON", "system")], 1, "Rome"]);
  equal(page.labels(0), ["PERSON", "PERSON"]);
});

test("another type for a suggestion keeps where it came from", async () => {
  const page = await bench();
  await page.suggest([guess(0, 8, 15, "PERSON")]);
  page.guesses = [];
  page.keys("ArrowRight", "ArrowRight", "2");
  equal(page.texts(".guess"), []);
  await page.saved();
  equal(page.sent(), [change("add", 0, 8, 15, "ORG", "system")]);
  equal(page.texts(".guess"), []);
});

test("a part of a suggestion is marked by hand", async () => {
  const page = await bench();
  await page.suggest([guess(0, 8, 15, "PERSON")]);
  page.keys("ArrowRight", "ArrowRight");
  page.press("ArrowLeft", { altKey: true });
  page.keys("3");
  await page.saved();
  equal(page.sent(), [change("add", 0, 8, 10, "LOC")]);
});

test("all suggestions at once, and undone at once", async () => {
  const page = await bench();
  await page.suggest([guess(0, 12, 15, "PERSON"), guess(1, 8, 12, "LOC")]);
  page.guesses = [];
  page.click("#accept");
  await page.saved();
  equal(page.sent(), [change("add", 0, 12, 15, "PERSON", "system"), change("add", 1, 8, 12, "LOC", "system")]);
  equal(page.labels(1), ["LOC"]);
  page.keys("u");
  await page.saved();
  equal(page.sent().slice(2), [change("remove", 0, 12, 15, "PERSON"), change("remove", 1, 8, 12, "LOC")]);
  equal([page.labels(0), page.labels(1)], [["PERSON"], []]);
  page.click("#accept");
  await settled();
  equal(page.sent().length, 4);
});

test("names are in the order of the text", async () => {
  const page = await bench();
  page.keys("ArrowRight", "ArrowRight", "ArrowRight", "1", "ArrowLeft", "2");
  await page.saved();
  equal(page.labels(0), ["PERSON", "ORG", "PERSON"]);
  page.keys("N", "N");
  equal(page.chosen(), "Ann Lee");
});

test("refused changes show what the server has", async () => {
  const page = await bench({ refuse: { status: 422, json: { error: "overlaps" } } });
  const before = page.calls.length;
  page.keys("Delete");
  await until(() => page.calls.slice(before).some((call) => call.path.startsWith("/api/text?")));
  await until(() => page.labels(0).length === 1);
  equal([page.$("#saving").textContent, page.labels(0)], ["overlaps", ["PERSON"]]);
});

test("taps take a word, and two taps all between", async () => {
  const page = await bench();
  page.click(page.word(1, "left"));
  equal([page.current(), page.chosen()], [1, "left"]);
  page.click(page.word(1, "Rome"));
  equal(page.chosen(), "left Rome");
  page.click(page.word(1, "He"));
  equal(page.chosen(), "He");
  page.click(page.word(1, "He"));
  equal(page.chosen(), "He");
  page.click(page.word(1, "Rome"), { shiftKey: true });
  equal(page.chosen(), "He left Rome");
  page.click(page.word(0, "met"));
  equal([page.current(), page.chosen()], [0, "met"]);
  page.click(page.all("#segments li")[1].children[0]);
  equal([page.current(), page.chosen()], [1, "He"]);
  page.click("#segments");
  equal([page.current(), page.chosen()], [1, "He"]);
});

async function drag(page, first, start, last, end) {
  const range = page.document.createRange();
  range.setStart(first.firstChild ?? first, start);
  range.setEnd(last.firstChild ?? last, end);
  page.window.getSelection().removeAllRanges();
  await settled();
  const told = new Promise((then) => { page.document.addEventListener("selectionchange", then, { once: true }); });
  page.window.getSelection().addRange(range);
  await told;
  page.send(page.document, "pointerup");
  await settled();
  await settled();
}

test("dragging selects to the character", async () => {
  const page = await bench();
  await drag(page, page.word(1, "left"), 2, page.word(1, "Rome"), 3);
  equal([page.current(), page.chosen(), page.window.getSelection().isCollapsed], [1, "ft Rom", true]);
  page.keys("1");
  await page.saved();
  equal(page.sent(), [change("add", 1, 5, 11, "PERSON")]);
  page.press("ArrowRight", { shiftKey: true });
  equal(page.chosen(), "left Rome .");
});

test("dragged blanks are no part of a name, and alone nothing", async () => {
  const page = await bench();
  await drag(page, page.word(0, " "), 0, page.word(0, "met"), 3);
  equal([page.current(), page.chosen()], [0, "Lee met"]);
  await drag(page, page.word(0, " "), 0, page.word(0, " "), 1);
  equal(page.chosen(), "Lee met");
});

test("what is dragged over several segments is nothing", async () => {
  const page = await bench();
  await drag(page, page.word(0, "met"), 0, page.word(1, "He"), 1);
  equal([page.current(), page.chosen()], [0, "Ann"]);
  await drag(page, page.$("h1"), 0, page.$("h1"), 2);
  equal(page.chosen(), "Ann");
  page.click(page.word(0, "met"));  // the text of the page is still selected
  equal(page.chosen(), "Ann");
});

test("another article is another page", async () => {
  const page = await bench();
  page.change("#article", "?start=100");
  await until(() => page.path === "/page?start=100");
});

test("the paragraph's names follow the annotator", async () => {
  const page = await bench();
  page.change("#unit", "paragraph");
  await until(() => page.$("#listed").textContent === "0 names");
  page.keys("j", "j");
  equal(page.$("#listed").textContent, "1 name");
});

test("segments are scrolled into view by keys and addresses, not by clicks", async () => {
  const page = await bench();
  equal(page.scrolled, 0);
  page.click(page.word(1, "left"));
  equal(page.scrolled, 0);
  page.keys("j");
  equal(page.scrolled, 1);
  equal((await bench({ path: "/page?segment=2" })).scrolled, 1);
});

test("Enter at one word of a suggestion takes all of it", async () => {
  const page = await bench();
  await page.suggest([guess(0, 8, 15, "PERSON")]);
  page.keys("ArrowRight", "ArrowRight", "Enter");
  await page.saved();
  equal(page.sent(), [change("add", 0, 8, 15, "PERSON", "system")]);
});
