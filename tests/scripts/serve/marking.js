import { equal, open, test } from "/tests/harness.js";

const ESA = { severities: ["minor", "major"], categories: [] };
const MQM = { severities: ["neutral", "minor", "major"], categories: ["style", "fluency", "accuracy"] };

async function marking(protocol = ESA, { given = [], side = "target", text = "One two three four", dir = "ltr" } = {}) {
  const page = await open('<div id="root"></div>');
  const { Errors, Surface } = await page.load("/static/rating/marking.js");
  page.changes = 0;
  page.errors = new Errors(protocol, given, () => { page.changes += 1; });
  page.surface = new Surface(page.errors, side, text, "a label");
  page.$("#root").dir = dir;
  page.$("#root").append(page.surface.element, page.errors.listing, page.errors.chooser);
  page.bubbled = [];
  page.document.addEventListener("keydown", (event) => page.bubbled.push(event.key));
  page.marked = () => page.errors.values();
  page.selected = () => page.texts(".selected").join("");
  page.cursor = () => page.texts(".cursor").join("|");
  page.tap = (word) => page.click(page.all(".word").find((one) => one.textContent === word));
  page.hint = () => page.$(".hint").textContent;
  page.ready = () => page.$(".tools").classList.contains("ready");
  page.focused = () => page.document.activeElement === page.surface.field;
  return page;
}
const error = (start, end, severity, category = "", side = "target") => ({ side, start, end, severity, category });

test("a text to be marked", async () => {
  const page = await marking(ESA, { text: "Ab c" });
  equal(page.html(".surface"), '<div class="surface"><div class="text words" dir="auto" tabindex="0" role="group" aria-label="a label">'
    + '<span class="word">Ab</span><span class="gap"> </span><span class="word">c</span></div><div class="tools">'
    + '<button type="button" class="severity-minor"><kbd>1</kbd>minor</button><button type="button" class="severity-major"><kbd>2</kbd>major</button>'
    + '<button type="button" class="missing"><kbd>m</kbd>missing text</button><span class="remark hint" aria-live="polite"></span></div></div>');
  equal(page.html(".errors"), '<ul class="errors" aria-label="Marked errors"></ul>');
  equal([page.$(".chooser").hidden, page.changes], [true, 0]);
});

test("a source has no missing text", async () => {
  const page = await marking(ESA, { side: "source" });
  equal(page.all(".missing").length, 0);
  page.surface.focus();
  equal([page.press("m"), page.marked()], [false, []]);
  page.press("1");
  equal(page.marked(), [error(0, 3, "minor", "", "source")]);
  equal(page.texts(".what"), ["minor in the source: One"]);
});

test("arrows move by word, with Shift they extend", async () => {
  const page = await marking();
  page.surface.focus();
  equal([page.focused(), page.cursor(), page.selected()], [true, "One", ""]);
  equal(page.press("ArrowRight"), true);
  equal(page.cursor(), "two");
  page.press("ArrowRight", { shiftKey: true });
  equal([page.cursor(), page.selected(), page.ready()], ["three", "two three", true]);
  page.press("ArrowLeft", { shiftKey: true });
  page.press("ArrowLeft", { shiftKey: true });
  equal([page.cursor(), page.selected()], ["One", "One two"]);
  page.press("ArrowLeft");
  equal([page.cursor(), page.selected(), page.ready()], ["One", "", false]);
  page.press("End", { shiftKey: true });
  equal([page.cursor(), page.selected()], ["four", "One two three four"]);
  page.press("Home");
  page.press("End");
  equal([page.cursor(), page.selected()], ["four", ""]);
  page.press("ArrowRight");
  equal(page.cursor(), "four");
  page.press("Home");
  equal([page.cursor(), page.bubbled], ["One", []]);
  page.surface.field.blur();
  equal(page.cursor(), "");
});

test("in a text that runs to the left, left is onward", async () => {
  const page = await marking(ESA, { text: "הבית הישן עומד" });
  page.surface.focus();
  page.press("ArrowLeft");
  equal(page.cursor(), "הישן");
  page.press("ArrowLeft", { shiftKey: true });
  equal(page.selected(), "הישן עומד");
  page.press("ArrowRight");
  equal(page.cursor(), "הישן");
});

test("digits mark what is selected", async () => {
  const page = await marking();
  page.surface.focus();
  page.press("ArrowRight");
  page.press("ArrowRight", { shiftKey: true });
  equal(page.press("2"), true);
  equal([page.marked(), page.changes], [[error(4, 13, "major")], 1]);
  equal([page.selected(), page.ready(), page.focused()], ["", false, true]);
  equal(page.all(".severity-major.word, .severity-major.gap").map((one) => one.textContent), ["two", " ", "three"]);
  page.press("Home");
  page.press("1");
  equal(page.marked(), [error(4, 13, "major"), error(0, 3, "minor")]);
  for (const key of ["0", "3", " ", "x", "Enter"]) equal(page.press(key), false, key);
  equal([page.marked().length, page.bubbled], [2, ["0", "3", " ", "x", "Enter"]]);
});

test("keys with Ctrl, Alt or Meta are the browser's", async () => {
  const page = await marking();
  page.surface.focus();
  for (const held of ["ctrlKey", "altKey", "metaKey"]) equal(page.press("1", { [held]: true }), false, held);
  equal(page.marked(), []);
});

test("the same words have one error, the last", async () => {
  const page = await marking();
  page.surface.focus();
  page.press("1");
  page.press("2");
  equal(page.marked(), [error(0, 3, "major")]);
  page.errors.add({ side: "source", start: 0, end: 3, severity: "minor" });
  page.errors.add({ side: "target", start: 0, end: 7, severity: "minor" });
  page.errors.add({ side: "target", start: 1, end: 3, severity: "minor" });
  equal(page.marked().length, 4);
});

test("missing text is marked by m and a severity", async () => {
  const page = await marking();
  page.surface.focus();
  equal([page.press("m"), page.hint(), page.ready()], [true, "Something is missing: how severe is it?", true]);
  page.press("2");
  page.press("m");
  page.press("1");
  equal(page.marked(), [{ missing: true, severity: "major", category: "" }, { missing: true, severity: "minor", category: "" }]);
  equal([page.hint(), page.ready()], ["", false]);
  equal(page.texts(".what"), ["major (missing text)", "minor (missing text)"]);
  equal(page.all("bdi").map((one) => one.className), ["none", "none"]);
  page.press("m");
  page.press("m");
  equal([page.hint(), page.ready()], ["", false]);
  page.press("1");
  equal(page.marked().at(-1), error(0, 3, "minor"));
});

test("missing text is forgotten by arrows, Escape and taps", async () => {
  const page = await marking();
  page.surface.focus();
  for (const act of [() => page.press("ArrowRight"), () => page.press("Escape"), () => page.tap("four")]) {
    page.press("m");
    act();
    equal(page.hint().startsWith("Something"), false);
  }
  page.click(".missing");
  equal([page.hint(), page.focused()], ["Something is missing: how severe is it?", true]);
});

test("Delete removes the last error at the cursor", async () => {
  const given = [error(0, 7, "minor"), error(4, 7, "major"), error(4, 7, "minor", "", "source")];
  const page = await marking(ESA, { given });
  page.surface.focus();
  equal(page.press("Delete"), true);
  equal(page.marked(), [given[1], given[2]]);
  page.press("ArrowRight");
  page.press("ArrowRight");
  page.press("Backspace");
  equal(page.marked().length, 2);
  page.press("ArrowLeft");
  page.press("Backspace");
  equal(page.marked(), [given[2]]);
  page.press("Delete");
  equal(page.marked(), [given[2]]);
});

test("an error is removed by its button", async () => {
  const page = await marking(ESA, { given: [error(0, 3, "minor"), error(4, 7, "major")] });
  page.errors.refresh();
  equal(page.html(".errors"), '<ul class="errors" aria-label="Marked errors">'
    + [["minor", "One"], ["major", "two"]].map(([severity, word]) => `<li class="severity-${severity}"><span class="what"><b>${severity}</b> `
      + `<bdi class="quoted">${word}</bdi></span><button type="button" class="small" aria-label="Remove ${severity} error">✕</button></li>`).join("") + "</ul>");
  page.click(page.all(".small")[0]);
  equal([page.marked(), page.texts(".what")], [[error(4, 7, "major")], ["major two"]]);
});

test("what was marked before is a copy", async () => {
  const given = [error(0, 3, "minor")];
  const page = await marking(ESA, { given });
  page.errors.list[0].severity = "major";
  equal(given[0].severity, "minor");
});

test("taps take the first and the last word", async () => {
  const page = await marking();
  page.tap("two");
  equal([page.selected(), page.hint(), page.ready(), page.focused()], ["two", "Tap the last word of the error, then a severity.", true, true]);
  page.tap("four");
  equal(page.selected(), "two three four");
  page.click(".tools .severity-major");
  equal([page.marked(), page.selected(), page.hint()], [[error(4, 18, "major")], "", ""]);
  page.tap("three");
  equal(page.selected(), "three");
  page.tap("three");
  equal([page.selected(), page.hint(), page.ready()], ["", "", false]);
  page.tap("three");
  page.tap("One");
  equal(page.selected(), "One two three");
  page.press("Escape");
  equal([page.selected(), page.hint(), page.cursor()], ["", "", "One"]);
  page.click(page.all(".gap")[0]);
  equal(page.selected(), "");
});

test("an arrow ends what was tapped", async () => {
  const page = await marking();
  page.tap("two");
  page.press("ArrowRight");
  equal([page.selected(), page.hint()], ["", ""]);
  page.tap("One");
  equal(page.selected(), "One");
});

test("the heaviest error of a word shows", async () => {
  const given = [error(0, 3, "neutral"), error(0, 7, "minor"), error(4, 13, "major"), error(4, 13, "neutral"), error(8, 8, "major")];
  const page = await marking(MQM, { given });
  equal(page.all(".words span").map((one) => one.className), ["word severity-minor", "gap severity-minor", "word severity-major",
    "gap severity-major", "word severity-major", "gap", "word"]);
  const neutral = await marking(MQM, { given: [error(0, 3, "neutral")] });
  equal(neutral.$(".word").className, "word severity-neutral");
});

test("with categories a kind is asked for", async () => {
  const page = await marking(MQM);
  page.surface.focus();
  page.press("2");
  const chooser = page.$(".chooser");
  equal([page.marked(), chooser.hidden], [[], false]);
  equal(chooser.innerHTML, '<h3>Which kind of minor error?</h3><div class="kinds"><button type="button"><kbd>a</kbd>style</button>'
    + '<button type="button"><kbd>b</kbd>fluency</button><button type="button"><kbd>c</kbd>accuracy</button></div><button type="button">Cancel (Esc)</button>');
  equal(page.document.activeElement.textContent, "astyle");
  equal(page.press("b"), true);
  equal([page.marked(), chooser.hidden, chooser.innerHTML, page.focused()], [[error(0, 3, "minor", "fluency")], true, "", true]);
  equal(page.texts(".what"), ["minor fluency One"]);
  page.press("1");
  page.click(page.all(".kinds button")[2]);
  equal(page.marked(), [error(0, 3, "neutral", "accuracy")]);
});

test("the kind is chosen by letters and arrows, or not at all", async () => {
  const page = await marking(MQM);
  page.surface.focus();
  page.press("3");
  const here = () => page.document.activeElement.textContent;
  const walk = [];
  for (const key of ["ArrowDown", "ArrowRight", "ArrowDown", "ArrowUp", "ArrowLeft", "ArrowUp"]) {
    equal(page.press(key), true, key);
    walk.push(here());
  }
  equal(walk, ["bfluency", "caccuracy", "caccuracy", "bfluency", "astyle", "astyle"]);
  for (const key of ["d", "7", "Tab"]) equal(page.press(key), false, key);
  equal(page.press("a", { ctrlKey: true }), false);
  equal(page.press("a", { metaKey: true }), false);
  equal(page.press("a", { altKey: true }), false);
  page.bubbled.length = 0;
  equal([page.press("Enter"), page.bubbled, page.marked()], [false, [], []]);
  equal([page.press("Escape"), page.$(".chooser").hidden, page.marked(), page.focused()], [true, true, [], true]);
  page.press("3");
  page.click(page.all(".chooser > button")[0]);
  equal([page.$(".chooser").hidden, page.marked(), page.focused()], [true, [], true]);
  page.press("3");
  page.press("C");
  equal([page.marked(), page.bubbled], [[error(0, 3, "major", "accuracy")], []]);
});

test("missing text has a kind too", async () => {
  const page = await marking(MQM);
  page.surface.focus();
  page.press("m");
  page.press("3");
  page.press("c");
  equal([page.marked(), page.texts(".what")], [[{ missing: true, severity: "major", category: "accuracy" }], ["major accuracy (missing text)"]]);
});

test("a text without words has nothing to mark but what is missing", async () => {
  const page = await marking(ESA, { text: "" });
  page.surface.focus();
  for (const key of ["1", "Delete", "ArrowRight", "End"]) page.press(key);
  equal([page.marked(), page.surface.selection], [[], null]);
  page.press("m");
  page.press("1");
  equal(page.marked(), [{ missing: true, severity: "minor", category: "" }]);
});

test("errors at the end of a text are missing text", async () => {
  const page = await marking(ESA, { given: [error(18, 18, "minor")] });
  page.errors.refresh();
  equal([page.marked(), page.texts(".what")], [[{ missing: true, severity: "minor", category: "" }], ["minor (missing text)"]]);
});

test("an error of a side that is not shown has no words", async () => {
  const page = await marking(ESA, { given: [error(0, 3, "minor", "", "source")] });
  page.errors.refresh();
  equal(page.texts(".what"), ["minor in the source: "]);
});

test("the hint to tap goes when a kind is asked for", async () => {
  const page = await marking(MQM);
  page.tap("two");
  page.click(".tools .severity-minor");
  equal([page.$(".chooser").hidden, page.hint()], [false, ""]);
});
