import { equal, open, settled, test, until } from "/tests/harness.js";

const CUT = "\u001f";
const HTML = `<button id="theme"></button><div id="choices"><select id="metric"></select><label><select id="first"></select></label><label><select id="second"></select></label></div>
  <table id="score-table"><thead><tr><th data-x>System</th><th>BLEU</th><th>TER</th></tr></thead><tbody>
  <tr data-system="0"><th data-value="0"><span class="letter"></span></th><td data-value="30"></td><td data-value="50"></td></tr>
  <tr data-system="1"><th data-value="1"><span class="letter"></span></th><td data-value="40"></td><td data-value="60"></td></tr>
  <tr data-system="2"><th data-value="2"><span class="letter"></span></th><td data-value="20"></td><td data-value="40"></td></tr></tbody></table>
  <section id="pair"><div id="pair-shown"></div></section><section id="words"><b id="words-first"></b><b id="words-second"></b>
  ${["words-gained", "words-lost", "phrases-gained", "phrases-lost"].map((name) => `<table id="grams-${name}"><tbody><tr><td>old</td></tr></tbody></table>`).join("")}</section>
  <section id="segments"><input id="search"><select id="order"><option value="number"></option><option value="gain"></option><option value="loss"></option>
  <option value="worst"></option><option value="best"></option><option value="errors"></option><option value="low-0"></option><option value="high-0"></option><option value="apart-0"></option></select>
  <select class="slice" data-slice="0"><option value="">all</option><option value="0">news</option><option value="1">web</option></select>
  <input id="low" type="number"><input id="high" type="number"><output id="found"></output>
  <label><select id="holds">${["", "number", "name", "term", "repeated", "same", "different", "copied"].map((value) => `<option value="${value}"></option>`).join("")}</select></label><label hidden><input id="term"></label>
  <label hidden><select id="lost">${["", "a", "b", "only-a", "only-b", "both"].map((value) => `<option value="${value}"></option>`).join("")}</select></label><button id="link"></button>
  <div id="spread-differences"><p id="differences-shares"></p><svg id="differences"></svg><svg id="differences-axis"><text></text><text></text><text></text></svg>
  <input id="gain-low" type="number"><input id="gain-high" type="number"></div><div><div id="bands"></div><p id="bands-meaning"></p></div>
  <div id="list" tabindex="0" style="height: 104px; overflow: auto; position: relative"><p id="nothing" hidden><button id="clear" class="clear"></button></p><div id="space" style="position: relative"></div></div>
  <article id="detail" style="height: 50px; overflow: auto"></article></section>`;

const DATA = () => ({
  systems: ["alder", "birch", "cedar"], signs: ["●", "■", "▲"], colours: ["rgb(1, 2, 3)", "rgb(4, 5, 6)", "rgb(7, 8, 9)"], rival: 1,
  sources: ["Quelle eins", "Quelle zwei", "Quelle drei", "Quelle vier"], ids: null,
  references: [["the cat sat"], ["a dog ran , fast"], ["no match"], ["four is here"]],
  hypotheses: [["the cat sat", "the cat sits", "a cat"], [`a dog ran${CUT}, slow`, "a dog ran , fast", "dog"], ["", "no", "match"], ["four", "is here", "five"]],
  metrics: [
    { spec: "bleu", title: "BLEU", decimals: 2, higher: true, aligns: false, segments: [[10000, 5000, null, 2500], [5000, 10000, 2000, 2500], [100, 200, 300, 400]],
      columns: ["match_1", "total"], rows: [{ values: [[30, 20, 0, 10], [20, 40, 10, 20], [1, 1, 1, 1]], scale: 10 }, { values: [[3, 4, 0, 1], [3, 5, 1, 2], [2, 1, 1, 1]], scale: 1 }] },
    { spec: "ter", title: "TER", decimals: 1, higher: false, aligns: true, segments: [[0, 250, 1000, 700], [300, 0, 500, 700], [900, 800, 700, 600]], columns: [], rows: null }],
  slices: [{ by: "genre", labels: ["news", "web"], of: [0, 1, 0, 1] }, { by: "length", labels: ["short"], of: [0, 0, 0, 0] }],
  ratings: [{ criterion: "fluency", values: [[3, null, 1, 2], [1, 2, 5, 2]] }], entities: null, spans: null, pairs: {},
  explained: {},
});

async function report(change = () => {}, { html = HTML, width = 1000, path = "/page" } = {}) {
  const page = await open(html, { width, path });
  page.module = (await page.load("/report.js")).default;
  page.data = DATA();
  change(page.data);
  page.module.set(page.data);
  return page;
}

async function browser(change, options) {
  const page = await report(change, options);
  page.module.prepare();
  page.module.update();
  page.order = (value) => { page.change("#order", value); return [...page.module.state.shown]; };
  return page;
}

test("elements of the report", async () => {
  const { module } = await report();
  equal(module.element("p", "a<b", "x").outerHTML, '<p class="x">a&lt;b</p>');
  equal([module.element("p").outerHTML, module.element("p", null, "").outerHTML, module.element("td", 0).outerHTML], ["<p></p>", "<p></p>", "<td>0</td>"]);
  equal(module.signOf(1).outerHTML, '<span class="sign" style="color: color-mix(in srgb, rgb(4, 5, 6) 65%, var(--ink));">■</span>');
});

test("the direction of a text is that of most letters", async () => {
  const { module } = await report();
  equal(["abc", "", "12", "שלום", "Ann שלום", "Annette של", "אב ab", "سلام", "ܫܠܡ"].map(module.direction),
    ["ltr", "ltr", "ltr", "rtl", "rtl", "ltr", "ltr", "rtl", "rtl"]);
  equal([module.foreign("p", "שלום").dir, module.foreign("p", "abc").dir, module.foreign("p", null, "x", "שלום").outerHTML, module.foreign("p", null).dir],
    ["rtl", "auto", '<p class="x" dir="rtl"></p>', "auto"]);
});

test("what was opened once stays open", async () => {
  const page = await report();
  const one = page.module.openable("why", "Why?");
  page.document.body.append(one);
  equal(one.outerHTML, "<details><summary>Why?</summary></details>");
  one.open = true;
  await until(() => page.module.state.opened.has("why"));
  equal(page.module.openable("why", "Why?").open, true);
  one.open = false;
  await until(() => !page.module.state.opened.has("why"));
  equal(page.module.openable("marks A: ", "x").open, true);
});

test("tokens, scores and names as they are shown", async () => {
  const { module, data } = await report();
  equal([module.tokens(`a${CUT}b  c `), module.tokens(""), module.shownText(`a${CUT}b${CUT}`)], [["a", "b", "c"], [], "ab"]);
  equal([module.score(0, 0), module.score(0, 2), module.score(1, 3, 1), module.last(NaN), module.last(2)], [100, NaN, 70, Infinity, 2]);
  equal([module.shownScore(0, 0), module.shownScore(0, 0, 1), module.shownScore(0, 2)], ["100.00", "100.0", "–"]);
  equal(data.systems.length, 3);
});

test("data are unpacked", async () => {
  const page = await report();
  const stream = new Blob([JSON.stringify({ text: "ä🙂" })]).stream().pipeThrough(new CompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  page.document.body.insertAdjacentHTML("beforeend", `<p id="payload"> ${btoa(String.fromCharCode(...bytes))} </p>`);
  equal(await page.module.unpacked(), { text: "ä🙂" });
});

test("the longest matching runs of words", async () => {
  const { module } = await report();
  const words = (text) => text.split(" ").filter(Boolean);
  const lengths = (text, ...others) => module.matchLengths(words(text), others.map(words));
  equal(lengths("a b c d e f", "a b c d e"), [4, 4, 4, 4, 4, 0]);
  equal(lengths("a x b c", "b c", "a"), [1, 0, 2, 2]);
  equal(lengths("x a b c y c", "a b c"), [0, 3, 3, 3, 0, 1]);
  equal([lengths("", "a"), lengths("a")], [[], [0]]);
  equal(lengths("ab c", "a bc"), [0, 0]);
});

test("matching words are highlighted in the text as it was", async () => {
  const { module } = await report();
  equal(module.highlighted(`the  cat${CUT}, sat`, [["the"], ["cat", ",", "x"]]).outerHTML, '<p class="text" dir="auto">'
    + '<span class="m1" title="part of 1 matching word">the</span>  <span class="m2" title="part of 2 matching words">cat</span><span class="m2" title="part of 2 matching words">,</span> sat</p>');
  equal(module.highlighted("", [["a"]]).outerHTML, '<p class="text" dir="auto"><em>(empty)</em></p>');
});

test("fewest edits", async () => {
  const { module } = await report();
  const words = (text) => text.split(" ").filter(Boolean);
  const kinds = (text, reference) => module.edits(words(text), words(reference));
  equal(kinds("a b c", "a x c"), [["", "a", "a"], ["S", "b", "x"], ["", "c", "c"]]);
  equal(kinds("a b c", "a c"), [["", "a", "a"], ["I", "b", ""], ["", "c", "c"]]);
  equal(kinds("a c", "a b c"), [["", "a", "a"], ["D", "", "b"], ["", "c", "c"]]);
  equal(kinds("", "a b"), [["D", "", "a"], ["D", "", "b"]]);
  equal(kinds("a b", ""), [["I", "a", ""], ["I", "b", ""]]);
  equal(kinds("x a b", "a b y").map(([kind]) => kind), ["I", "", "", "D"]);
  equal(kinds("a a b", "a b b").map(([kind]) => kind), ["", "S", ""]);
});

test("a grid of edits and its legend", async () => {
  const { module } = await report();
  const pairs = [{ kind: "=", above: "a", below: "a" }, { kind: "S", above: "x", below: "b", shift: 2 }, { kind: "S", above: "x", below: "c", note: "n" },
    { kind: "I", above: "", below: "d" }, { kind: "D", above: "e", below: "" }];
  equal(module.grid(pairs).outerHTML, '<div class="edits" dir="ltr"><span class="pair "><bdi>a</bdi><bdi>a</bdi></span>'
    + '<span class="pair S moved" title="another word, moved by shift 2"><bdi>x</bdi><bdi>b</bdi><small>⇄ 2</small></span>'
    + '<span class="pair S" title="another word, n"><bdi>x</bdi><bdi>c</bdi><small>n</small></span>'
    + '<span class="pair I" title="not in the reference"><bdi>∅</bdi><bdi>d</bdi></span><span class="pair D" title="left out"><bdi>e</bdi><bdi>∅</bdi></span></div>');
  equal(module.gridLegend(pairs, 0).outerHTML, '<p class="remark legend"><span class="pair S">2 substitutions</span><span class="pair I">1 insertion</span><span class="pair D">1 deletion</span></p>');
  equal([module.gridLegend([], 1).textContent, module.gridLegend([], 2).textContent, module.gridLegend([pairs[0]], 0).outerHTML],
    ["1 shift ⇄", "2 shifts ⇄", '<p class="remark legend">No edits.</p>']);
  equal(module.gridLegend(["T", "Y", "P", "P"].map((kind) => ({ kind })), 0).textContent, "1 same stem1 synonym2 paraphrases");
  equal(module.grid([{ kind: "=", above: "שלום", below: "x" }]).dir, "rtl");
});

test("the metric's own alignment", async () => {
  const { module } = await report();
  const picture = { kinds: "=T", above: ["a", "b"], below: ["a", "bs"], shift: [0, 1], notes: ["", "stem"], shifts: 1 };
  equal(module.pictureView(picture, 0, 1).textContent, "1 same stem1 shift ⇄aabbs⇄ 1stem");
  equal(module.pictureView(picture, 1, 2).firstChild.outerHTML, '<p class="remark">Reference 2: the score is made from this one</p>');
  equal(module.pictureView({ kinds: "=", above: ["a"], below: ["a"], uncounted: true }, 0, 2).textContent, "Reference 1No edits.aa");
});

test("texts too long are not aligned", async () => {
  const { module } = await report();
  const many = (count) => Array.from({ length: count }, () => "w");
  equal(module.editView(["a", "b"], ["a", "c"]).textContent, "1 substitutionaacb");
  equal(module.editView(many(400), many(401)).outerHTML, '<p class="remark">Too long to be aligned here.</p>');
  equal(module.editView(many(400), many(400)).className, "");
});

test("pieces of a text with marks", async () => {
  const { module } = await report();
  equal(module.markedPieces("abcdef", [[1, 3, "minor"], [2, 5, "major"], [null, null, "major"]]), [{ text: "a", over: [], last: [] }, { text: "b", over: [0], last: [] },
    { text: "c", over: [0, 1], last: [0] }, { text: "de", over: [1], last: [1] }, { text: "f", over: [], last: [] }]);
  equal(module.markedPieces("ab", []), [{ text: "ab", over: [], last: [] }]);
  equal([["minor", "major"], ["neutral"], ["odd"], ["critical", "minor"], []].map(module.severityClass),
    ["error major", "error neutral", "error neutral", "error critical", "error neutral"]);
});

test("a text with marks, and the list of them", async () => {
  const { module } = await report();
  const marks = [[0, 2, "minor", "style"], [1, 3, "major", ""], [null, null, "major", "omission", ""], [null, null, "", "", "Quelle"]];
  equal(module.markedText("abcd", marks).outerHTML, '<p class="text marked" dir="auto"><mark class="error minor" title="minor: style">a</mark>'
    + '<mark class="error major" title="minor: style; major">b</mark><sup>1</sup><mark class="error major" title="major">c</mark><sup>2</sup>d</p>');
  equal(module.markedText("", []).outerHTML, '<p class="text marked" dir="auto"><em>(empty)</em></p>');
  equal(module.markedList(marks).outerHTML, '<ol class="errors"><li>minor: style</li><li>major</li><li>major: omission, without a place in the text</li>'
    + "<li>error, in the source: <bdi>Quelle</bdi></li></ol>");
});

const SPANS = { raters: ["ann", "bob"], texts: { "0:1": "Own text" }, marks: { "0:0": [[0, 5, [[0, 3, "minor", ""]]], [1, null, []]], "0:1": [[1, 2, [[0, 3, "major", "x"], [4, 8, "minor", ""]]]] } };

test("what every rater marked in an output", async () => {
  const { module } = await report((data) => { data.spans = SPANS; });
  const made = module.markedErrors("A: ", 0, 0);
  equal([made.open, made.querySelector("summary").textContent, [...made.querySelectorAll(".who")].map((one) => one.textContent)],
    [true, "Marked by 2 people: 1 error", ["ann · 5", "bob: no error"]]);
  equal([made.querySelectorAll("mark").length, made.querySelector(".marked").textContent, made.querySelectorAll("ol").length], [1, "the1 cat sat", 1]);
  const other = module.markedErrors("A: ", 0, 1);
  equal([other.querySelector("summary").textContent, other.querySelector(".marked").textContent], ["Marked by 1 person: 2 errors", "Own1 text2"]);
  equal(module.markedErrors("A: ", 1, 1), null);
  equal([module.errorCount(0, 0), module.errorCount(0, 1), module.errorCount(2, 0)], [0.5, 2, NaN]);
});

test("a report without marks has none", async () => {
  const { module } = await report();
  equal([module.markedErrors("A: ", 0, 0), module.errorCount(0, 0)], [null, NaN]);
});

test("n-grams are counted", async () => {
  const { module } = await report();
  equal([...module.gramCounts(["a", "b", "a", "b"], 1, 2)], [["a", 2], ["b", 2], [`a${CUT}b`, 2], [`b${CUT}a`, 1]]);
  equal([...module.gramCounts(["a"], 2, 4)], []);
  equal([...module.rightGrams(["a", "a", "b"], new Map([["a", 1], ["c", 4]]), 1, 1)], [["a", 1]]);
});

test("n-grams that only one system has right", async () => {
  const { module } = await report((data) => {
    data.references = [["a b c", "a a"], ["c d"]];
    data.hypotheses = [["a x", "a a b"], ["c d", "c c"]];
  });
  const shown = (some) => some.map(({ words, count, other }) => [words.join(" "), count, other]);
  const { gained, lost } = module.gramDifferences(0, 1, 1, 1);
  equal([shown(gained), shown(lost)], [[["a", 1, 0], ["b", 1, 0]], [["d", 1, 0]]]);
  equal(shown(module.gramDifferences(0, 1, 2, 4).lost), [["c d", 1, 0]]);
  equal(shown(module.gramDifferences(1, 0, 1, 1).gained), [["d", 1, 0]]);
});

test("n-grams are ranked by log-odds", async () => {
  const { module } = await report();
  const ranked = (more, less = {}) => module.ranked(new Map(Object.entries(more)), new Map(Object.entries(less))).map((one) => one.gram);
  equal(ranked({ a: 5, b: 9, c: 9, d: 3 }, { b: 1, d: 3 }), ["c", "b", "a"]);
  equal(ranked({ a: 2, b: 1, c: 3 }, { c: 4, b: 1 }), ["a"]);
  equal(ranked({ b: 2, a: 2 }), ["a", "b"]);
  equal(ranked({ a: 2, [`x${CUT}a`]: 2, xa: 2, [`a${CUT}y`]: 3 }), [`a${CUT}y`, `x${CUT}a`, "xa"]);
  equal(ranked({ a: 15, b: 5 }, { a: 5 }), ["a", "b"]);
  equal(ranked(Object.fromEntries(Array.from({ length: 14 }, (_, at) => [`w${at}`, 20 - at]))).length, 10);
  const [one] = module.ranked(new Map([["p", 7]]), new Map([["p", 1]]));
  equal([one.odds, one.count, one.other], [Math.log(12 / 6), 7, 1]);
});

test("words of the pair are filled in", async () => {
  const page = await browser((data) => { data.references = [["a b"], ["c"], ["x"], ["y"]]; data.hypotheses = [["a", "a b", ""], ["c", "", ""], ["", "", ""], ["", "", ""]]; });
  page.module.showWords();
  equal(page.texts("#grams-words-gained tr"), ["old"]);
  page.module.state.second = 2;
  page.module.showWords();
  equal([page.$("#words-first").textContent, page.$("#words-second").textContent], ["alder", "cedar"]);
  equal(page.html("#grams-words-lost tbody"), '<tbody><tr><td dir="auto">a</td><td>0</td><td>1</td></tr><tr><td dir="auto">c</td><td>0</td><td>1</td></tr></tbody>');
  equal(page.html("#grams-words-gained tbody"), '<tbody><tr><td colspan="3">none</td></tr></tbody>');
  page.module.state.second = 1;
  page.module.showWords();
  equal([page.html("#grams-words-gained tbody"), page.texts("#grams-phrases-gained td")],
    ['<tbody><tr><td dir="auto">b</td><td>1</td><td>0</td></tr></tbody>', ["a b", "1", "0"]]);
  page.$("#grams-words-gained tbody").innerHTML = "";
  page.module.showWords();
  equal(page.$("#grams-words-gained tbody").innerHTML, "");
});

test("segments are ordered", async () => {
  const page = await browser((data) => { data.spans = SPANS; });
  equal(page.order("number"), [0, 1, 2, 3]);
  equal(page.order("gain"), [0, 3, 1, 2]);
  equal(page.order("loss"), [1, 3, 0, 2]);
  equal(page.order("worst"), [3, 1, 0, 2]);
  equal(page.order("best"), [0, 1, 3, 2]);
  equal(page.order("errors"), [1, 0, 2, 3]);
  equal(page.order("low-0"), [2, 3, 0, 1]);
  equal(page.order("high-0"), [0, 3, 2, 1]);
  equal(page.order("apart-0"), [2, 0, 3, 1]);
  page.change("#metric", "1");
  equal(page.order("worst"), [2, 3, 1, 0]);
  equal(page.order("best"), [0, 1, 3, 2]);
  equal(page.order("gain"), [0, 3, 1, 2]);
  equal(page.order("loss"), [2, 1, 3, 0]);
});

test("segments are filtered by text, slice and score", async () => {
  const page = await browser();
  const found = () => [page.$("#found").textContent, [...page.module.state.shown]];
  equal(found(), ["4 of 4 segments.", [0, 1, 2, 3]]);
  page.change("#search", "DOG RAN, s", "input");
  equal(found(), ["1 of 4 segment.", [1]]);
  page.change("#search", "quelle", "input");
  equal(found()[1].length, 4);
  page.change("#search", "no match", "input");
  equal(found()[1], [2]);
  page.change("#search", "zzz", "input");
  equal([found()[0], page.$("#nothing").hidden, page.$("#space").style.height], ["0 of 4 segments.", false, "0px"]);
  page.click("#clear");
  equal([found()[1].length, page.$("#nothing").hidden, page.$("#search").value, page.$("#space").style.height], [4, true, "", "208px"]);
  page.change(".slice", "1");
  equal(found()[1], [1, 3]);
  page.change("#low", "50", "input");
  equal(found()[1], [1]);
  page.change("#low", "50.1", "input");
  equal(found()[1], []);
  page.change("#low", "", "input");
  page.change("#high", "25", "input");
  equal(found()[1], [3]);
  page.change("#high", "24", "input");
  equal(found()[1], []);
  page.change(".slice", "");
  equal(found()[1], [2]);  // has no score, so none that is too high
});

test("a report without sources is searched too", async () => {
  const page = await browser((data) => { data.sources = null; });
  page.change("#search", "quelle", "input");
  equal(page.module.state.shown, []);
  page.change("#search", "sits", "input");
  equal(page.module.state.shown, [0]);
});

test("rows of the list", async () => {
  const page = await browser();
  equal(page.html("#row-1"), '<div class="row" id="row-1" role="option" aria-selected="false" style="top: 52px;"><div class="numbers">2 · A 50.0 · B 100.0 · web</div>'
    + '<div class="text" dir="auto">a dog ran, slow</div></div>');
  equal(page.texts(".numbers"), ["1 · A 100.0 · B 50.0 · news", "2 · A 50.0 · B 100.0 · web", "3 · A – · B 20.0 · news", "4 · A 25.0 · B 25.0 · web"]);
  page.order("high-0");
  equal(page.texts(".numbers")[3], "2 · A 50.0 · B 100.0 · fluency – / 2 · web");
  page.data.systems = ["alder"];
  page.module.update();
  equal([page.texts(".numbers")[0], page.texts(".numbers")[3]], ["1 · A 100.0 · fluency 3 · news", "2 · A 50.0 · fluency – · web"]);
});

const LONG = (data) => {
  const many = (value) => Array.from({ length: 100 }, () => value);
  Object.assign(data, { sources: null, references: many(["x"]), hypotheses: many(["x", "y", "z"]), ratings: [], slices: [] });
  for (const metric of data.metrics) { metric.segments = [0, 1, 2].map(() => many(100)); metric.rows = null; }
};

test("only rows in view are made", async () => {
  const page = await browser(LONG);
  const rows = () => page.all(".row").map((one) => Number(one.id.slice(4)));
  equal([rows()[0], rows().at(-1)], [0, 17]);
  page.$("#list").scrollTop = 52 * 50;
  await until(() => rows()[0] === 42);
  equal(rows().at(-1), 59);
  page.$("#list").scrollTop = 1e6;
  await until(() => rows().at(-1) === 99);
  equal(rows()[0], 90);
  page.module.update();
  equal([page.$("#list").scrollTop, rows()[0]], [0, 0]);
});

test("a chosen segment is scrolled into the list", async () => {
  const page = await browser(LONG);
  page.module.choose(50);
  equal([page.$("#list").scrollTop, page.$("#row-50").getAttribute("aria-selected"), page.$("#list").getAttribute("aria-activedescendant")], [50 * 52 - 52, "true", "row-50"]);
  page.module.choose(51);
  equal(page.$("#list").scrollTop, 50 * 52);
  page.module.choose(10);
  equal(page.$("#list").scrollTop, 9 * 52);
  equal(page.all("[aria-selected=true]").length, 1);
  page.module.choose(9);
  equal(page.$("#list").scrollTop, 9 * 52);
});

test("a segment that is filtered out is shown with all others", async () => {
  const page = await browser();
  page.change("#search", "dog", "input");
  page.module.choose(3);
  equal([page.module.state.shown.length, page.$("#search").value, page.$("h3").textContent], [4, "", "Segment 4 · web"]);
});

test("keys go through the list", async () => {
  const page = await browser();
  const chosen = () => page.module.state.chosen;
  equal([page.press("j"), chosen(), page.press("j"), chosen(), page.press("k"), chosen(), page.press("k"), chosen()], [true, 0, true, 1, true, 0, true, 0]);
  for (let turn = 0; turn < 6; turn += 1) page.press("j");
  equal(chosen(), 3);
  equal([page.press("ArrowUp"), chosen(), page.press("ArrowUp", { on: page.$("#list") }), chosen(), page.press("ArrowDown", { on: page.$("#list") }), chosen()],
    [false, 3, true, 2, true, 3]);
  equal([page.press("/"), page.document.activeElement.id], [true, "search"]);
  equal([page.press("k"), chosen()], [false, 3]);
  page.press("Escape");
  equal(page.document.activeElement === page.document.body, true);
  for (const held of ["ctrlKey", "metaKey", "altKey"]) equal([page.press("k", { [held]: true }), chosen()], [false, 3], held);
  page.change("#search", "zzz", "input");
  page.press("k");
  equal(chosen(), 3);
});

test("choices hold for list, table and address", async () => {
  const page = await browser();
  equal(page.all("#metric option").map((one) => [one.value, one.textContent]), [["0", "BLEU"], ["1", "TER"]]);
  equal([page.$("#first").value, page.$("#second").value, page.texts("#second option")], ["0", "1", ["alder", "birch", "cedar"]]);
  page.change("#second", "2");
  equal([page.path, page.texts(".letter")], ["/page#metric=bleu&a=alder&b=cedar", ["A", "", "B"]]);
  page.change("#first", "1");
  equal(page.texts(".letter"), ["", "A", "B"]);
  page.click("#row-1");
  equal(page.path, "/page#metric=bleu&a=birch&b=cedar&segment=2");
  page.change("#metric", "1");
  equal([page.path, page.texts("#detail h3 span")[0]], ["/page#metric=ter&a=birch&b=cedar&segment=2", "A: ■birch"]);
  equal(page.all("#score-table tbody tr").map((one) => one.dataset.system), ["2", "0", "1"]);
  equal(page.all("#score-table th[aria-sort]").map((one) => [one.textContent, one.getAttribute("aria-sort")]), [["TER", "ascending"]]);
});

test("the address of a view is read back", async () => {
  const read = async (hash) => {
    const page = await report(undefined, { path: `/page${hash}` });
    page.module.prepare();
    const segment = page.module.recall();
    const { metric, first, second } = page.module.state;
    return [metric, first, second, segment, page.$("#metric").value, page.$("#first").value, page.$("#second").value];
  };
  equal(await read("#metric=ter&a=cedar&b=alder&segment=4"), [1, 2, 0, 3, "1", "2", "0"]);
  equal(await read("#metric=none&a=x&segment=5"), [0, 0, 1, -1, "0", "0", "1"]);
  equal((await read("#segment=1"))[3], 0);
  equal((await read("#segment=0"))[3], -1);
  equal((await read("#segment=1.5"))[3], -1);
  equal((await read("#segment=x"))[3], -1);
  equal((await read(""))[3], -1);
});

test("the table is sorted by its heads", async () => {
  const page = await browser();
  const order = () => page.all("#score-table tbody tr").map((one) => one.dataset.system);
  const button = { dataset: { column: "1" } };
  page.module.sortTable(button);
  equal([order(), button.dataset.down], [["1", "0", "2"], "yes"]);
  equal(page.all("#score-table th[aria-sort]").map((one) => [one.textContent, one.getAttribute("aria-sort")]), [["BLEU", "descending"]]);
  page.module.sortTable(button);
  equal([order(), button.dataset.down], [["2", "0", "1"], "no"]);
  const names = { dataset: { column: "0" } };
  page.module.sortTable(names);
  equal([order(), page.all("#score-table th[aria-sort]").map((one) => [one.textContent, one.getAttribute("aria-sort")])], [["0", "1", "2"], [["System", "ascending"]]]);
});

test("one system is compared with nobody", async () => {
  const page = await browser((data) => { data.systems = ["alder"]; });
  page.module.showChoice(true);
  equal(page.texts(".letter"), ["", "", ""]);
});

test("signatures are copied, or selected", async () => {
  const page = await report(undefined, { html: '<code>sig</code><button data-copy="bleu|x">copy</button>' });
  const copied = [];
  Object.defineProperty(page.window.navigator, "clipboard", { value: { writeText: async (text) => { copied.push(text); } }, configurable: true });
  await page.module.copy(page.$("button"));
  equal([copied, page.$("button").textContent], [["bleu|x"], "copied"]);
  equal([page.tick(), page.$("button").textContent], [[1500], "copy"]);
  Object.defineProperty(page.window.navigator, "clipboard", { value: undefined, configurable: true });
  await page.module.copy(page.$("button"));
  equal([page.$("button").textContent, String(page.window.getSelection())], ["selected", "sig"]);
});

test("the detail of a segment", async () => {
  const page = await browser();
  page.$("#detail").innerHTML = '<p style="height: 900px"></p>';
  page.$("#detail").scrollTop = 100;
  page.module.choose(0);
  equal([page.texts("#detail h3"), page.$("#detail").scrollTop], [["Segment 1 · news", "Source", "Reference", "A: ●alderBLEU 100.00 · fluency 3", "B: ■birchBLEU 50.00 · fluency 1"], 0]);
  equal(page.$("#detail .legend").outerHTML, '<p class="remark legend">Words in matching runs of <span class="m1">1</span><span class="m2">2</span><span class="m3">3</span><span class="m4">4 or more</span></p>');
  equal(page.texts("#detail details > summary"), ["Edits beside each reference", "Why 100.00 BLEU?", "Edits beside each reference", "Why 50.00 BLEU?", "All systems"]);
  const others = page.all("#detail details").at(-1);
  equal([...others.children].slice(1).map((one) => one.textContent), ["●alder 100.0", "the cat sat", "■birch 50.0", "the cat sits", "▲cedar 1.0", "a cat"]);
  equal(page.texts("#detail .text").slice(0, 2), ["Quelle eins", "the cat sat"]);
  equal(page.all("#detail .text .m3").length, 6);
});

test("all systems are ordered by the metric, those without a score last", async () => {
  const page = await browser((data) => { data.metrics[0].segments[0][0] = null; data.metrics[0].segments[2][0] = 5000; });
  const names = () => [...page.all("#detail details").at(-1).querySelectorAll(".name")].map((one) => one.textContent);
  page.module.choose(0);
  equal(names(), ["birch", "cedar", "alder"]);
  page.change("#metric", "1");
  equal(names(), ["alder", "birch", "cedar"]);
});

test("a detail with ids, several references and two systems", async () => {
  const page = await browser((data) => {
    Object.assign(data, { ids: ["id-1", "id-2", "id-3", "id-4"], sources: null, systems: ["alder", "birch"] });
    data.references[0] = ["the cat sat", "that cat"];
    data.ratings = [];
  });
  page.module.choose(0);
  equal(page.texts("#detail h3"), ["Segment 1 · id-1 · news", "Reference 1", "Reference 2", "A: ●alderBLEU 100.00", "B: ■birchBLEU 50.00"]);
  equal(page.texts("#detail summary").includes("All systems"), false);
});

test("the detail of one system has no letters", async () => {
  const page = await browser((data) => { data.systems = ["alder"]; data.rival = 0; });
  page.module.choose(0);
  equal(page.texts("#detail h3").slice(3), ["●alderBLEU 100.00 · fluency 3"]);
});

test("why a score is what it is: statistics", async () => {
  const { module } = await report();
  equal(module.why("A: ", 1, 0).innerHTML, '<summary>Why 50.00 BLEU?</summary><div class="wide"><table class="parts"><tr><td>match 1</td><td>2</td></tr><tr><td>total</td><td>3</td></tr></table></div>'
    + "<p class=\"remark\">Word by word: tertium explain … -m 'bleu' --segment 1</p>");
});

test("why a score is what it is: explained", async () => {
  const page = await report((data) => { data.explained = { bleu: { "0:0": [[["brevity_penalty", 1, null], ["x", 0]], ["line 1", "line 2"]], "0:1": [[], []] } }; });
  const { module } = page;
  equal(module.why("A: ", 0, 0).innerHTML, '<summary>Why 100.00 BLEU?</summary><div class="wide"><table class="parts"><tr><td>brevity penalty</td><td>1</td><td></td></tr><tr><td>x</td><td>0</td></tr></table></div>'
    + '<pre dir="auto" tabindex="0">line 1\nline 2</pre>');
  equal(module.why("A: ", 0, 1).querySelector("pre"), null);
  module.state.metric = 1;
  equal(module.why("A: ", 0, 0).innerHTML, "<summary>Why 0.0 TER?</summary><p class=\"remark\">Word by word: tertium explain … -m 'ter' --segment 1</p>");
});

test("names found and missed", async () => {
  const page = await browser((data) => { data.entities = { unit: "document", of: [[["LOC", "Rome", "10 "], ["PERSON", "Ann", "01"], ["LOC", "Bonn", "01"]], [], [], []] }; });
  equal(page.module.entityList(0, 0).outerHTML, '<ul class="entities" aria-label="Names"><li>LOC <span class="found" title="found in the document">✓ <bdi>Rome</bdi></span> '
    + '<span class="missed" title="not found in the document">✗ <bdi>Bonn</bdi></span> </li><li>PERSON <span class="missed" title="not found in the document">✗ <bdi>Ann</bdi></span> </li></ul>');
  page.module.choose(0);
  equal(page.all("#detail .entities").length, 2);
  page.module.choose(1);
  equal(page.all("#detail .entities").length, 0);
});

test("alignments are filled in when they are opened", async () => {
  const page = await browser();
  page.module.choose(0);
  const made = page.all("#detail details")[2];
  equal(made.childElementCount, 1);
  made.open = true;
  await until(() => made.childElementCount === 3);
  equal(made.textContent, "Edits beside each referenceThe reference stands above, the output below. BLEU aligns no words; these are the fewest edits, for reading.1 substitutionthethecatcatsatsits");
  made.open = false;
  await settled();
  made.open = true;
  await settled();
  await settled();
  equal(made.childElementCount, 3);
});

test("a metric that aligns shows its own alignment, or none", async () => {
  const page = await browser((data) => { data.explained = { ter: { "0:0": [[], [], [{ kinds: "=", above: ["a"], below: ["a"] }, { kinds: "S", above: ["a"], below: ["b"], uncounted: true }]] } }; });
  page.module.state.metric = 1;
  equal(page.module.alignment("A: ", 1, 0, []), null);
  const made = page.module.alignment("A: ", 0, 0, []);
  page.document.body.append(made);
  equal(made.querySelector("summary").textContent, "Words as TER aligns them");
  made.open = true;
  await until(() => made.childElementCount === 4);
  equal(made.textContent, "Words as TER aligns themThe reference stands above, the output below.Reference 1: the score is made from this oneNo edits.aaReference 21 substitutionab");
});

test("marked errors stand in the detail of the output that has them", async () => {
  const page = await browser((data) => { data.spans = SPANS; });
  page.module.choose(0);
  equal([page.all("#detail mark").length, page.texts("#detail summary").filter((one) => one.startsWith("Marked"))], [1, ["Marked by 2 people: 1 error"]]);
  page.module.choose(2);
  equal([page.all("#detail mark").length, page.$("#detail").textContent.includes("null")], [0, false]);
});
