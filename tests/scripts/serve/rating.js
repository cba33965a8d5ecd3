import { equal, open, test } from "/tests/harness.js";

const module = async (name, options) => {
  const page = await open('<div id="root"></div>', options);
  page.module = await page.load(`/static/rating/${name}.js`);
  page.show = (element) => { page.$("#root").replaceChildren(element); return element; };
  return page;
};

test("elements from words", async () => {
  const page = await module("dom");
  const { make, prose } = page.module;
  let clicks = 0;
  const made = make("button", { class: "a b", title: undefined, lang: null, hidden: false, type: "button",
    disabled: true, "aria-label": "x", "data-mark": true, role: "radio", nonsense: "n",
    onclick: () => { clicks += 1; } }, "text <b>", null, undefined, make("i"), 0);
  equal(made.outerHTML, '<button class="a b" type="button" disabled="" aria-label="x" data-mark="" role="radio" '
    + 'nonsense="n">text &lt;b&gt;<i></i>0</button>');
  made.disabled = false;
  made.click();
  equal(clicks, 1);
  equal(make("p").outerHTML, "<p></p>");
  equal(prose("a<b").outerHTML, '<p class="text" dir="auto">a&lt;b</p>');
  equal(prose("a", { class: "soft" }).outerHTML, '<p class="soft" dir="auto">a</p>');
});

test("words with offsets in code points", async () => {
  const page = await module("words");
  const { wordsOf, cut } = page.module;
  equal(wordsOf("🙂 don't x"), [{ text: "🙂", start: 0, end: 1, space: false }, { text: " ", start: 1, end: 2, space: true },
    { text: "don't", start: 2, end: 7, space: false }, { text: " ", start: 7, end: 8, space: true },
    { text: "x", start: 8, end: 9, space: false }]);
  equal(wordsOf(""), []);
  equal([cut("a🙂bc", 1, 3), cut("abc", 0, 1), cut("abc", 2, 2)], ["🙂b", "a", ""]);
});

test("words in a browser that cuts none", async () => {
  const page = await open("");
  delete page.window.Intl.Segmenter;
  const { wordsOf } = await page.load("/static/rating/words.js");
  equal(wordsOf("ab  c d").map((one) => [one.text, one.space]),
    [["ab", false], ["  ", true], ["c", false], [" ", true], ["d", false]]);
  equal(wordsOf(" a").map((one) => one.text), [" ", "a"]);
});

const STEPS = { criterion: "fluency", whole: true, low: 1, high: 5, labels: { 1: "none", 5: "flawless" } };

async function scale(kind, value, { slot = "A", several = false, dir = "ltr", ...rest } = {}) {
  const page = await module("scales");
  const told = [];
  page.$("#root").dir = dir;
  page.field = page.module.scaleOf({ ...kind, ...rest }, slot, several, value, (what) => told.push(what));
  page.show(page.field.element);
  page.told = told;
  page.checked = () => page.all("[role=radio]").map((one) => [one.getAttribute("aria-checked"), one.classList.contains("chosen")])
    .findIndex(([checked, chosen]) => checked === "true" && chosen) + 1;
  return page;
}

test("a row of steps", async () => {
  const page = await scale(STEPS, undefined);
  equal(page.html(".scale"), '<div class="scale"><h3>fluency</h3><div class="steps" role="radiogroup" aria-label="fluency" tabindex="0">'
    + [1, 2, 3, 4, 5].map((n) => `<button type="button" class="step" role="radio" value="${n}" tabindex="-1" aria-checked="false">`
      + `<b>${n}</b><small>${n === 1 ? "none" : n === 5 ? "flawless" : ""}</small></button>`).join("") + "</div></div>");
  equal([page.field.value(), page.field.name, page.told], [null, "fluency", []]);
  page.click(".step[value='3']");
  equal([page.field.value(), page.checked(), page.told], [3, 3, [{ move: false }]]);
  page.click(".step[value='4']");
  equal([page.field.value(), page.checked(), page.all(".chosen").length, page.all("[aria-checked=true]").length], [4, 4, 1, 1]);
});

test("steps of one of several outputs have its name", async () => {
  const page = await scale(STEPS, 2, { slot: "B", several: true });
  equal([page.field.name, page.checked(), page.field.value(), page.$(".steps").getAttribute("aria-label")],
    ["fluency of B", 2, 2, "fluency of B"]);
});

test("steps by keys", async () => {
  const page = await scale(STEPS, undefined);
  page.field.focus();
  const bubbled = [];
  page.document.addEventListener("keydown", (event) => bubbled.push(event.key));
  const pressed = (key) => [page.press(key), page.field.value()];
  equal(pressed("1"), [true, 1]);
  equal(pressed("5"), [true, 5]);
  equal(page.told, [{ move: true }, { move: true }]);
  equal(pressed("0"), [false, 5]);
  equal(pressed("6"), [false, 5]);
  equal(pressed(" "), [false, 5]);
  equal(pressed("x"), [false, 5]);
  equal(pressed("ArrowRight"), [true, 5]);
  equal(pressed("ArrowLeft"), [true, 4]);
  equal(page.told.at(-1), { move: false });
  equal(bubbled, ["0", "6", " ", "x"]);
  for (let turn = 0; turn < 6; turn += 1) page.press("ArrowLeft");
  equal(page.field.value(), 1);
});

test("the first arrow takes an end of the steps", async () => {
  const right = await scale(STEPS, undefined);
  right.press("ArrowRight", { on: right.$(".steps") });
  equal(right.field.value(), 1);
  const left = await scale(STEPS, undefined);
  left.press("ArrowLeft", { on: left.$(".steps") });
  equal(left.field.value(), 5);
});

test("steps run to the left where the page does", async () => {
  const page = await scale(STEPS, 3, { dir: "rtl" });
  page.press("ArrowLeft", { on: page.$(".steps") });
  equal(page.field.value(), 4);
  page.press("ArrowRight", { on: page.$(".steps") });
  page.press("ArrowRight", { on: page.$(".steps") });
  equal(page.field.value(), 2);
});

const SLIDER = { criterion: "da", whole: false, low: 0, high: 100, labels: {} };

test("a slider has no answer before there is one", async () => {
  const page = await scale(SLIDER, undefined);
  const range = page.$("input");
  equal(page.html(".scale"), '<div class="scale"><h3>Score: <output class="number">not yet</output></h3>'
    + '<input type="range" min="0" max="100" step="1" class="slider unset" aria-label="da" aria-valuetext="not yet rated"></div>');
  equal([range.value, page.field.value(), page.field.name, page.told], ["50", null, "da", []]);
  range.value = "70";
  page.send(range, "input");
  equal([page.field.value(), page.$("output").textContent, range.getAttribute("aria-valuetext"), range.className, page.told],
    [70, "70", "70", "slider", [{}]]);
  page.field.focus();
  equal(page.document.activeElement === range, true);
});

test("a tap on the middle of a slider is an answer", async () => {
  const page = await scale(SLIDER, undefined);
  page.send("input", "pointerup");
  equal([page.field.value(), page.told.length], [50, 1]);
});

test("a slider with anchors", async () => {
  const page = await scale({ ...SLIDER, criterion: "score", labels: { 0: "none", 66: "most" } }, 12);
  equal([page.$("h3").textContent, page.field.value(), page.$("input").value], ["Score of the whole: 12", 12, "12"]);
  equal(page.html(".anchors"), '<div class="anchors"><button type="button" class="anchor" tabindex="-1"><b>0</b><small>none</small></button>'
    + '<button type="button" class="anchor" tabindex="-1"><b>66</b><small>most</small></button></div>');
  page.click(page.all(".anchor")[1]);
  equal(page.field.value(), 66);
});

test("numbers are typed into a slider", async () => {
  const page = await scale(SLIDER, undefined);
  const range = page.$("input");
  let now = 10_000;
  page.window.performance.now = () => now;
  const bubbled = [];
  page.document.addEventListener("keydown", (event) => bubbled.push(event.key));
  const pressed = (key) => [page.press(key, { on: range }), page.field.value()];
  equal(pressed("7"), [true, 7]);
  now += 1499;
  equal(pressed("5"), [true, 75]);
  equal(pressed("3"), [true, 3]);
  now += 1500;
  equal(pressed("1"), [true, 1]);
  equal([pressed("0"), pressed("0")], [[true, 10], [true, 100]]);
  equal(page.told.length, 6);
  equal(pressed("Backspace"), [true, null]);
  equal([page.$("output").textContent, page.told.length, range.className], ["not yet", 7, "slider unset"]);
  equal(pressed("4"), [true, 4]);
  equal(pressed("x"), [false, 4]);
  equal(bubbled, ["x"]);
});

test("a slider stays inside its scale", async () => {
  const page = await scale({ ...SLIDER, low: 10, high: 20 }, undefined);
  equal(page.$("input").value, "15");
  page.press("5", { on: page.$("input") });
  equal(page.field.value(), 10);
  const anchored = await scale({ ...SLIDER, high: 20, labels: { 25: "above", "7.6": "between" } }, undefined);
  for (const anchor of anchored.all(".anchor")) {
    anchored.click(anchor);
    equal(anchored.field.value(), anchor.textContent === "25above" ? 20 : 8);
  }
});

async function ranks(value) {
  const page = await module("ranking");
  page.told = [];
  page.field = page.module.rankOf("B", 3, value, (what) => page.told.push(what));
  page.show(page.field.element);
  return page;
}

test("ranks of an output", async () => {
  const page = await ranks(undefined);
  equal(page.html(".steps"), '<div class="steps" role="radiogroup" aria-label="rank of B" tabindex="0">'
    + [[1, "best"], [2, ""], [3, "worst"]].map(([n, label]) => `<button type="button" class="step" role="radio" value="${n}" tabindex="-1" `
      + `aria-checked="false"><b>${n}</b><small>${label}</small></button>`).join("") + "</div>");
  equal([page.field.value(), page.field.name], [null, "rank of B"]);
  page.click(".step[value='2']");
  equal([page.field.value(), page.told, page.$(".chosen").value, page.$("[aria-checked=true]").value], [2, [{ move: false }], "2", "2"]);
  equal((await ranks(3)).field.value(), 3);
});

test("ranks by digits", async () => {
  const page = await ranks(undefined);
  page.field.focus();
  equal(page.document.activeElement === page.$(".steps"), true);
  const bubbled = [];
  page.document.addEventListener("keydown", (event) => bubbled.push(event.key));
  const pressed = (key) => [page.press(key), page.field.value()];
  equal([pressed("0"), pressed("4"), pressed(" "), pressed("x")], [[false, null], [false, null], [false, null], [false, null]]);
  equal([pressed("1"), pressed("3")], [[true, 1], [true, 3]]);
  equal([page.told, bubbled], [[{ move: true }, { move: true }], ["0", "4", " ", "x"]]);
});
