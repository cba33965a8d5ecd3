import { equal, open, test } from "/tests/harness.js";

const DA = { severities: [], categories: [], ranked: false, scales: [{ criterion: "da", whole: false, low: 0, high: 100, labels: {} }] };
const TWO = { severities: [], categories: [], ranked: false, scales: ["adequacy", "fluency"].map((criterion) => (
  { criterion, whole: true, low: 1, high: 5, labels: {} })) };
const RANKING = { severities: [], categories: [], ranked: true, scales: [] };
const ESA = { severities: ["minor", "major"], categories: [], ranked: false,
  scales: [{ criterion: "score", whole: false, low: 0, high: 100, labels: {} }] };
const ITEM = { source: "Das Haus", reference: null, before: [], after: [], outputs: { A: "The house" }, values: null };

async function sheet(protocol, item = {}, values = null) {
  const page = await open('<div id="root"></div>');
  const { Sheet } = await page.load("/static/rating/sheet.js");
  page.changes = 0;
  page.sheet = new Sheet(protocol, { ...ITEM, ...item }, values, () => { page.changes += 1; });
  page.$("#root").append(page.sheet.element);
  page.at = () => page.document.activeElement.getAttribute("aria-label");
  return page;
}

test("texts of an item in order", async () => {
  const page = await sheet(DA, { reference: "A house", before: [{ source: "Vorher", outputs: { A: "Before" } }],
    after: [{ source: null, outputs: { A: "After" } }] });
  equal(page.texts("h2, summary, .text"), ["Before it in the document", "Vorher", "Before", "Source", "Das Haus", "Reference", "A house",
    "Translation", "The house", "After it in the document", "After"]);
  equal(page.all(".item > *").map((one) => one.className), ["context", "given", "given", "output", "context"]);
  equal(page.all(".soft").map((one) => one.className), ["text soft"]);
  equal(page.$("details").open, true);
  equal(page.all(".passage").length, 2);
});

test("context is closed on a narrow screen", async () => {
  const page = await open("", { width: 600 });
  const { Sheet } = await page.load("/static/rating/sheet.js");
  const made = new Sheet(DA, { ...ITEM, before: [{ source: "x", outputs: {} }] }, null, () => {});
  equal(made.element.querySelector("details").open, false);
});

test("an item without source and context shows none", async () => {
  const page = await sheet(DA, { source: null });
  equal(page.texts("h2"), ["Translation"]);
  equal(page.all("details").length, 0);
});

test("several outputs have letters", async () => {
  const page = await sheet(RANKING, { outputs: { A: "one", B: "two" },
    before: [{ source: "s", outputs: { A: "x", B: "y" } }] });
  equal(page.texts(".output h2"), ["Translation A", "Translation B"]);
  equal(page.texts(".passage .text"), ["s", "A: x", "B: y"]);
  equal(page.all(".steps").map((one) => one.getAttribute("aria-label")), ["rank of A", "rank of B"]);
});

test("values of questions, answered and not", async () => {
  const page = await sheet(TWO);
  equal(page.sheet.values(), { A: { adequacy: null, fluency: null } });
  equal(page.sheet.open.name, "adequacy");
  page.sheet.focus();
  equal(page.at(), "adequacy");
  page.press("4");
  equal([page.sheet.values(), page.at(), page.changes, page.sheet.open.name], [{ A: { adequacy: 4, fluency: null } }, "fluency", 1, "fluency"]);
  page.press("2");
  equal([page.sheet.values(), page.at(), page.sheet.open, page.changes], [{ A: { adequacy: 4, fluency: 2 } }, "fluency", null, 2]);
  page.sheet.focus();
  equal(page.at(), "adequacy");
});

test("a click answers without moving on", async () => {
  const page = await sheet(TWO);
  page.sheet.focus();
  page.click(".step[value='3']");
  equal([page.at(), page.changes, page.sheet.values()], ["adequacy", 1, { A: { adequacy: 3, fluency: null } }]);
});

test("a slider keeps the focus while it is moved", async () => {
  const sliders = ["da", "style"].map((criterion) => ({ ...DA.scales[0], criterion }));
  const page = await sheet({ ...DA, scales: sliders });
  page.sheet.focus();
  page.press("7");
  equal([page.at(), page.sheet.values(), page.changes], ["da", { A: { da: 7, style: null } }, 1]);
});

test("the first open question has the focus", async () => {
  const page = await sheet(TWO, {}, { A: { adequacy: 3 } });
  page.sheet.focus();
  equal(page.at(), "fluency");
});

test("values come from the draft, else from the server", async () => {
  const server = { A: { da: 10 } };
  equal((await sheet(DA, { values: server }, { A: { da: 20 } })).sheet.values(), { A: { da: 20 } });
  equal((await sheet(DA, { values: server })).sheet.values(), { A: { da: 10 } });
  equal((await sheet(RANKING, { outputs: { A: "a", B: "b" }, values: { B: { rank: 2 } } })).sheet.values(), { A: { rank: null }, B: { rank: 2 } });
});

test("a digit moves through the ranks", async () => {
  const page = await sheet(RANKING, { outputs: { A: "a", B: "b" } });
  page.sheet.focus();
  page.press("2");
  equal(page.at(), "rank of B");
  page.press("1");
  equal([page.sheet.values(), page.at()], [{ A: { rank: 2 }, B: { rank: 1 } }, "rank of B"]);
});

test("up and down move between questions", async () => {
  const page = await sheet(TWO);
  page.document.activeElement.blur?.();
  page.sheet.move(1);
  equal(page.at(), "adequacy");
  page.sheet.move(1);
  equal(page.at(), "fluency");
  page.sheet.move(1);
  equal(page.at(), "fluency");
  page.sheet.move(-1);
  equal(page.at(), "adequacy");
  page.sheet.move(-1);
  equal(page.at(), "adequacy");
  page.document.activeElement.blur();
  page.sheet.move(-1);
  equal(page.at(), "adequacy");
});

test("errors are marked in the output and in the source", async () => {
  const given = [{ side: "target", start: 0, end: 3, severity: "major", category: "" }];
  const page = await sheet(ESA, { outputs: { A: "The house" } }, { A: { errors: given, score: 5 } });
  equal(page.sheet.values(), { A: { errors: given, score: 5 } });
  equal(page.texts(".errors .what"), ["major The"]);
  equal(page.all(".words").map((one) => one.getAttribute("aria-label")), ["Source: errors in it can be marked, too", "Translation: mark its errors"]);
  equal(page.all(".output > *").map((one) => one.className), ["", "surface", "errors", "chooser", "scale"]);
  page.sheet.focus();
  equal(page.at(), "Translation: mark its errors");
  page.sheet.sourceSurface.focus();
  page.press("1");
  equal(page.sheet.values().A.errors.length, 2);
  page.sheet.move(1);
  equal(page.at(), "Translation: mark its errors");
  page.sheet.move(1);
  equal(page.at(), "score");
});

test("an open score is asked for after the errors", async () => {
  const page = await sheet(ESA);
  equal([page.sheet.open.name, page.sheet.values()], ["score", { A: { errors: [], score: null } }]);
  page.sheet.focus();
  equal(page.at(), "Translation: mark its errors");
});

test("a constituent is marked in source and output", async () => {
  const page = await sheet(TWO, { source: "🙂 das rote Dach", outputs: { A: "the red roof" }, constituent: { source: [2, 10], outputs: { A: [4, 7] } } });
  equal(page.all("p.text").map((one) => one.outerHTML), ['<p class="text" dir="auto">🙂 <mark>das rote</mark> Dach</p>', '<p class="text" dir="auto">the <mark>red</mark> roof</p>']);
});
