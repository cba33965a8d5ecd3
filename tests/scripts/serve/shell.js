import { equal, open, test } from "/tests/harness.js";

const SHELL = `<nav class="topbar"><input class="find"></nav><details class="menu" open><summary>Menu</summary><a>one</a></details>
  <details class="menu"><summary>Other</summary></details><textarea></textarea><p id="text">words</p>`;
const menus = (page) => page.all("details").map((one) => one.open);

test("a menu closes by a click elsewhere", async () => {
  const page = await open(SHELL);
  await page.load("/static/shell.js");
  page.click("details a");
  equal(menus(page), [true, false]);
  page.click("#text");
  equal(menus(page), [false, false]);
});

test("Escape closes a menu and goes back to its button", async () => {
  const page = await open(SHELL);
  await page.load("/static/shell.js");
  page.press("x");
  equal([menus(page), page.document.activeElement.tagName], [[true, false], "BODY"]);
  page.press("Escape");
  equal([menus(page), page.document.activeElement.textContent], [[false, false], "Menu"]);
});

test("a slash goes to the search", async () => {
  const page = await open(SHELL);
  await page.load("/static/shell.js");
  const field = page.$("textarea");
  field.focus();
  equal([page.press("/"), page.document.activeElement === field], [false, true]);
  field.blur();
  for (const key of [{ key: "a" }, { key: "/", ctrlKey: true }, { key: "/", metaKey: true }]) {
    equal([page.press(key.key, key), page.document.activeElement.tagName], [false, "BODY"]);
  }
  equal([page.press("/"), page.document.activeElement.className], [true, "find"]);
});

test("a slash is left to a page with a search of its own, and to one that shows none", async () => {
  for (const html of [`${SHELL}<input id="search">`, SHELL.replace("<nav ", "<nav hidden "), "<p>"]) {
    const page = await open(html);
    await page.load("/static/shell.js");
    equal([page.press("/"), page.document.activeElement.tagName], [false, "BODY"]);
  }
});

test("the tab of the page is in sight", async () => {
  const page = await open(`<div class="tabs" style="display: flex; overflow: auto; width: 200px">
    <a style="flex: none; width: 900px">first</a><a style="flex: none; width: 100px" aria-current="page">current</a></div>`);
  await page.load("/static/shell.js");
  equal(page.$(".tabs").scrollLeft, 800);
});

test("of a matrix one metric at a time is shown", async () => {
  const page = await open(`<p id="matrix-metrics" hidden><button aria-controls="one">A</button><button aria-controls="two">B</button></p>
    <div id="one"></div><div id="two"></div>`);
  await page.load("/static/matrix.js");
  const shown = () => [page.$("#matrix-metrics").hidden, page.$("#one").hidden, page.$("#two").hidden,
    ...page.all("button").map((one) => one.getAttribute("aria-pressed"))];
  equal(shown(), [false, false, true, "true", "false"]);
  page.click("[aria-controls=two]");
  equal(shown(), [false, true, false, "false", "true"]);
});

test("a page without a matrix is left alone", async () => {
  const page = await open("<p>");
  await page.load("/static/matrix.js");
});

const TABLE = `<table data-sortable><thead><tr><th>System</th><th data-better="high"><b>BLEU</b></th><th data-better="low">TER</th></tr></thead><tbody>
  ${[["a", 3, 5], ["b", "", 5], ["c", 10, ""], ["d", 3, 4]].map(([name, x, y]) => `<tr><th>${name}</th><td data-value="${x}"></td><td data-value="${y}"></td></tr>`).join("")}</tbody></table>`;

test("tables are sorted by their heads, the better first and what has no value last", async () => {
  const page = await open(TABLE);
  await page.load("/static/sorting.js");
  const order = () => page.texts("tbody th").join("");
  const sorted = () => page.all("thead th").map((one) => one.getAttribute("aria-sort"));
  equal([page.html("thead"), order()], ['<thead><tr><th>System</th><th data-better="high"><button type="button"><b>BLEU</b></button></th>'
    + '<th data-better="low"><button type="button">TER</button></th></tr></thead>', "abcd"]);
  const [bleu, ter] = page.all("button");
  bleu.click();
  equal([order(), sorted()], ["cadb", [null, "descending", null]]);
  bleu.click();
  equal([order(), sorted()], ["adcb", [null, "ascending", null]]);
  bleu.click();
  equal([order(), sorted()], ["cadb", [null, "descending", null]]);
  ter.click();
  equal([order(), sorted()], ["dabc", [null, null, "ascending"]]);
  ter.click();
  equal([order(), sorted()], ["abdc", [null, null, "descending"]]);
});
