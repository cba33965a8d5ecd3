import { equal, open, settled, test, until } from "/tests/harness.js";

const HTML = `<form id="upload" action="/api/outputs" data-preview="/api/preview"><input type="file" name="file" multiple>
  <p id="one-system"><input name="system" value="typed"></p><input name="note" value="a note"><input name="tags" value="x, y">
  <div id="previews" hidden></div><p class="problem" hidden></p><progress hidden></progress><button id="send">Send</button></form>`;
const SYSTEM = { name: "elm", example: "a line", newest: false, identical: null };
const FOUND = { description: "text, 3 lines", columns: [], systems: [SYSTEM], problem: "" };
const COLUMNS = [{ name: "id", role: "key", example: "1" }, { name: "out", role: "hypothesis", example: "yes" },
  { name: "old", role: null, example: "no" }];

// The fields of a form that was sent; files by their names.
const sent = (call) => [...call.body].map(([name, value]) => `${name}=${value.name ?? value}`);

async function upload(answer) {
  const page = await open(HTML, { answer });
  await page.load("/static/upload.js");
  page.files = (names) => {
    const files = new page.window.DataTransfer();
    for (const name of names) files.items.add(new page.window.File([name], name));
    return files;
  };
  page.choose = async (...names) => {
    page.$("[name=file]").files = page.files(names).files;
    page.send("[name=file]", "change");
    await until(() => page.all("fieldset").length === names.length && page.all("fieldset:not([data-state])").length === 0);
  };
  page.button = () => [page.$("#send").textContent, page.$("#send").disabled];
  return page;
}

test("a file is shown as it would be read, then sent", async () => {
  const page = await upload(() => ({ json: FOUND }));
  await page.choose("elm.txt");
  equal([page.calls[0].method, page.calls[0].path, sent(page.calls[0])], ["POST", "/api/preview", ["file=elm.txt", "system=typed"]]);
  equal(page.$("#previews").innerHTML, '<fieldset class="file" data-state="ready"><legend dir="auto">elm.txt</legend>'
    + '<p class="s m">text, 3 lines</p><p class="s q" dir="auto">a line</p></fieldset>');
  equal([page.$("#previews").hidden, page.$("#one-system").hidden, page.button()], [false, false, ["Send", false]]);
  equal(page.send("form", "submit"), false);
  await until(() => page.loads === 1);
  equal([page.calls.length, page.calls[1].path, sent(page.calls[1])],
    [2, "/api/outputs", ["file=elm.txt", "system=typed", "note=a note", "tags=x, y"]]);
});

test("while a file is read the button says nothing yet", async () => {
  const page = await upload(() => new Promise(() => {}));
  page.$("[name=file]").files = page.files(["elm.txt"]).files;
  page.send("[name=file]", "change");
  await until(() => page.calls.length === 1);
  equal([page.$("#previews").innerHTML, page.button()],
    ['<fieldset class="file"><legend>elm.txt</legend><p class="s q">Reading …</p></fieldset>', ["Send", false]]);
});

test("no file is nothing to show", async () => {
  const page = await upload(() => ({ json: FOUND }));
  await page.choose("elm.txt");
  page.$("[name=file]").files = page.files([]).files;
  page.send("[name=file]", "change");
  equal([page.$("#previews").hidden, page.$("#previews").innerHTML, page.button()], [true, "", ["Send", false]]);
  equal(page.$("#one-system").hidden, false);
});

test("the name of one system may be typed afterwards", async () => {
  const page = await upload(() => ({ json: FOUND }));
  page.change("[name=system]", "before");
  equal(page.calls.length, 0);
  await page.choose("elm.txt");
  page.change("[name=system]", "oak");
  await until(() => page.calls.length === 2);
  equal(sent(page.calls[1]), ["file=elm.txt", "system=oak"]);
  page.change("[name=system]", "");
  await until(() => page.calls.length === 3);
  equal(sent(page.calls[2]), ["file=elm.txt"]);
});

test("of several files each has its system", async () => {
  const page = await upload(({ body }) => ({ json: { ...FOUND, systems: [{ ...SYSTEM, name: body.get("system") ?? body.get("file").name[0] }] } }));
  await page.choose("a.txt", "b.txt");
  equal(page.calls.map(sent), [["file=a.txt"], ["file=b.txt"]]);
  equal([page.$("#one-system").hidden, page.button()], [true, ["Send 2 outputs", false]]);
  equal(page.html("label"), '<label>System <input class="input" maxlength="200" dir="auto" list="known-systems"></label>');
  equal(page.all("label input").map((one) => one.value), ["a", "b"]);
  page.change("[name=system]", "unseen");
  const field = page.all("label input")[1];
  field.value = "beech";
  page.send(field, "change");
  await until(() => page.calls.length === 3);
  equal(sent(page.calls[2]), ["file=b.txt", "system=beech"]);
  await until(() => page.all("label input")[1]?.value === "beech");
  page.send("form", "submit");
  await until(() => page.loads === 1);
  equal(page.calls.slice(3).map(sent), [["file=a.txt", "note=a note", "tags=x, y"], ["file=b.txt", "system=beech", "note=a note", "tags=x, y"]]);
});

test("a file of several systems names them itself", async () => {
  const systems = ["one", "two"].map((name) => ({ ...SYSTEM, name }));
  const page = await upload(() => ({ json: { ...FOUND, systems } }));
  await page.choose("all.tsv");
  equal([page.texts("fieldset p"), page.button()], [["text, 3 lines", "one, two"], ["Send 2 outputs", false]]);
  page.send("form", "submit");
  await until(() => page.loads === 1);
  equal(sent(page.calls[1]), ["file=all.tsv", "note=a note", "tags=x, y"]);
});

test("other columns are chosen, and looked at again", async () => {
  const page = await upload(() => ({ json: { ...FOUND, columns: COLUMNS } }));
  await page.choose("all.tsv");
  equal(page.html("details"), '<details class="columns"><summary>Output in out</summary>'
    + '<label class="check"><input type="checkbox" value="id"><span class="words"><bdi class="b">id</bdi><span class="q"> (key) </span><bdi class="s m">1</bdi></span></label>'
    + '<label class="check"><input type="checkbox" value="out"><span class="words"><bdi class="b">out</bdi><span class="q"> </span><bdi class="s m">yes</bdi></span></label>'
    + '<label class="check"><input type="checkbox" value="old"><span class="words"><bdi class="b">old</bdi><span class="q"> </span><bdi class="s m">no</bdi></span></label></details>');
  equal(page.all("details input").map((one) => one.checked), [false, true, false]);
  page.$("details").open = true;
  await until(() => page.$("details").matches("[open]"));
  await settled();
  const tick = page.all("details input")[2];
  tick.checked = true;
  page.send(tick, "change");
  await until(() => page.calls.length === 2);
  equal(sent(page.calls[1]), ["file=all.tsv", "column=out", "column=old", "system=typed"]);
  await until(() => !tick.isConnected);
  equal(page.$("details").open, true);
});

test("which columns are outputs is asked where nobody knows", async () => {
  const columns = COLUMNS.map((one) => ({ ...one, role: null }));
  const page = await upload(() => ({ json: { ...FOUND, systems: [], columns, problem: "no column" } }));
  await page.choose("all.tsv");
  equal([page.$("summary").textContent, page.$("details").open], ["Which columns are outputs?", true]);
  equal(page.html(".problem[dir]"), '<p class="problem s" dir="auto">no column</p>');
  equal([page.$("fieldset").dataset.state, page.button()], ["problem", ["Nothing to send", true]]);
});

test("what the server refuses to look at is not sent", async () => {
  const page = await upload(({ body }) => (body.get("file").name === "bad" ? { status: 422, json: { error: "no text" } } : { json: FOUND }));
  await page.choose("bad", "good");
  equal([page.texts("fieldset .problem"), page.button()], [["no text"], ["Send", false]]);
  page.send("form", "submit");
  await until(() => !page.$("form > .problem").hidden);
  equal([page.calls.length, page.$("form > .problem").textContent], [3, "1 of 2 files were sent; the others say why not."]);
  equal([page.loads, page.$("progress").hidden, page.button()], [0, true, ["Nothing to send", true]]);
  page.send("form", "submit");
  await settled();
  equal(page.calls.length, 3);
});

test("what could not be sent says why, and the rest is sent", async () => {
  const page = await upload(({ path, body }) => (path === "/api/outputs" && body.get("file").name === "b" ? { status: 507, json: { error: "full" } } : { json: FOUND }));
  await page.choose("a", "b", "c");
  page.send("form", "submit");
  await until(() => !page.$("form > .problem").hidden);
  equal([page.calls.length, page.$("progress").max, page.$("progress").value], [6, 3, 3]);
  equal([page.texts("fieldset .problem"), page.$("form > .problem").textContent, page.loads],
    [["full"], "2 of 3 files were sent; the others say why not.", 0]);
});

test("what is there already is not sent again, unless that is asked for", async () => {
  const page = await upload(() => ({ json: { ...FOUND, systems: [{ ...SYSTEM, newest: true, identical: "elm 2" }] } }));
  await page.choose("elm.txt");
  equal(page.$("fieldset .notice").outerHTML, '<p class="notice s">The same text as elm 2. It is not sent again.</p>');
  equal([page.$("label.check").textContent, page.$("label.check input").checked, page.button()],
    ["Send it all the same", false, ["Nothing to send", true]]);
  page.$("label.check input").click();
  equal(page.button(), ["Send", false]);
  page.$("label.check input").click();
  equal(page.button(), ["Nothing to send", true]);
});

test("outputs that others have too are named, three at most", async () => {
  const systems = ["p", "q", "r", "s"].map((name) => ({ ...SYSTEM, name, identical: name.toUpperCase() }));
  for (const [count, told] of [[1, "P"], [3, "P, Q, R"], [4, "P, Q, R and 1 more"]]) {
    const page = await upload(() => ({ json: { ...FOUND, systems: systems.slice(0, count) } }));
    await page.choose("all.tsv");
    equal([page.$(".notice").textContent, page.all("label.check").length], [`The same text as ${told}.`, 0]);
  }
});

test("of several looks at a file the last one counts", async () => {
  const replies = [];
  const page = await upload(() => new Promise((then) => { replies.push(then); }));
  page.$("[name=file]").files = page.files(["elm.txt"]).files;
  page.send("[name=file]", "change");
  await until(() => replies.length === 1);
  page.change("[name=system]", "oak");
  await until(() => replies.length === 2);
  replies[1]({ json: { ...FOUND, description: "new" } });
  await until(() => page.all("fieldset[data-state]").length);
  replies[0]({ json: { ...FOUND, description: "old" } });
  await settled();
  equal(page.$("fieldset .m").textContent, "new");
});

test("three files are looked at a time", async () => {
  const replies = [];
  const page = await upload(() => new Promise((then) => { replies.push(then); }));
  page.$("[name=file]").files = page.files(["a", "b", "c", "d"]).files;
  page.send("[name=file]", "change");
  await until(() => replies.length === 3);
  await settled();
  equal(replies.length, 3);
  replies[0]({ json: FOUND });
  await until(() => replies.length === 4);
});

test("files may be dropped anywhere, and nothing else", async () => {
  const page = await upload(() => ({ json: FOUND }));
  const drag = (type, more = {}) => page.document.body.dispatchEvent(
    new page.window.DragEvent(type, { bubbles: true, cancelable: true, ...more }));
  const words = new page.window.DataTransfer();
  words.setData("text/plain", "words");
  const dropping = () => page.document.body.classList.contains("dropping");
  equal([drag("dragover", { dataTransfer: words }), dropping(), drag("dragover"), dropping()], [true, false, true, false]);
  const files = page.files(["elm.txt"]);
  equal([drag("dragover", { dataTransfer: files }), dropping()], [false, true]);
  drag("dragleave", { relatedTarget: page.$("form") });
  equal(dropping(), true);
  drag("dragleave");
  equal(dropping(), false);
  drag("dragover", { dataTransfer: files });
  equal([drag("drop", { dataTransfer: words }), dropping(), page.calls.length], [true, false, 0]);
  drag("dragover", { dataTransfer: files });
  equal([drag("drop", { dataTransfer: files }), dropping()], [false, false]);
  await until(() => page.all("fieldset[data-state]").length === 1);
  equal(page.$("[name=file]").files[0].name, "elm.txt");
});

test("a field for files takes what is dropped there itself", async () => {
  const page = await upload(() => ({ json: FOUND }));
  equal(page.$("[name=file]").dispatchEvent(new page.window.DragEvent("drop",
    { bubbles: true, cancelable: true, dataTransfer: page.files(["elm.txt"]) })), true);
  equal([page.calls.length, page.all("fieldset").length], [0, 0]);
});
