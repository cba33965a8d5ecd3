import { equal, open, settled, test, until } from "/tests/harness.js";

const FIELDS = `<form data-method="POST" action="/api/things" %>
  <input name="title" value="a, b"><input name="" value="nameless"><input name="off" value="x" disabled>
  <input name="part" value="in the path" data-path>
  <input type="checkbox" name="checked" checked><input type="checkbox" name="unchecked">
  <select name="yes" data-type="boolean"><option>true</option></select>
  <select name="no" data-type="boolean"><option>false</option></select>
  <input name="tags" data-type="list" value=" one, two ,,three ">
  <textarea name="lines" data-type="list">one
two, three</textarea>
  <input type="radio" name="way" value="left"><input type="radio" name="way" value="right" checked>
  <input type="number" name="count" value="2.5"><input type="number" name="none" value="">
  <select name="several" multiple><option selected>p</option><option>q</option><option selected>r</option></select>
  <select name="single"><option>s</option></select>
  <input name="optional" data-optional value=""><input name="told" data-optional value="t">
  <input name="empty" value=""><button>Send</button><button type="button">Other</button></form>`;

async function form(attributes = "", options = {}) {
  const page = await open(FIELDS.replace("%", attributes), options);
  page.module = await page.load("/static/forms.js");
  return page;
}

test("call sends JSON and reads JSON", async () => {
  const page = await open("", { answer: () => ({ json: { id: 3 } }) });
  const { call } = await page.load("/static/forms.js");
  equal(await call("PUT", "/x", { a: 1 }), { id: 3 });
  equal(page.calls, [{ method: "PUT", path: "/x", body: { a: 1 } }]);
  equal(page.options[0].headers, { "content-type": "application/json" });
  equal(page.options[0].credentials, "same-origin");
});

test("call without a body sends neither body nor type", async () => {
  const page = await open("", { answer: () => ({ status: 204 }) });
  const { call } = await page.load("/static/forms.js");
  equal(await call("GET", "/x"), null);
  equal([page.options[0].headers, page.options[0].body], [{}, undefined]);
});

test("call sends files as they are", async () => {
  const page = await open("", { answer: () => ({ json: 1 }) });
  const { call } = await page.load("/static/forms.js");
  const files = new page.window.FormData();
  equal(await call("POST", "/x", files), 1);
  equal(page.options[0].body === files, true);
  equal(page.options[0].headers, {});
});

test("call throws what the server says", async () => {
  const replies = [{ status: 422, json: { error: "name: too long" } }, { status: 502, text: "<p>proxy" },
    { status: 500, json: null }];
  const page = await open("", { answer: () => replies.shift() });
  const { call } = await page.load("/static/forms.js");
  const messages = [];
  for (let turn = 0; turn < 3; turn += 1) {
    try { await call("GET", "/x"); messages.push("none"); } catch (problem) { messages.push(problem.message); }
  }
  equal(messages, ["name: too long", "the server answered 502", "the server answered 500"]);
});

test("values of fields by their kind", async () => {
  const page = await form();
  await page.module.submit(page.$("form"));
  equal(page.calls, [{ method: "POST", path: "/api/things", body: {
    title: "a, b", checked: true, unchecked: false, yes: true, no: false, tags: ["one", "two", "three"],
    lines: ["one", "two", "three"],
    way: "right", count: 2.5, several: ["p", "r"], single: "s", told: "t", empty: "" } }]);
});

test("a declined confirmation sends nothing", async () => {
  const page = await form('data-confirm="Delete it?" data-next="reload"', { agrees: false });
  await page.module.submit(page.$("form"));
  equal([page.questions, page.calls, page.loads], [["Delete it?"], [], 0]);
  page.agrees = true;
  await page.module.submit(page.$("form"));
  equal([page.questions.length, page.calls.length], [2, 1]);
  await until(() => page.loads === 1);
});

test("a form without a confirmation asks nothing", async () => {
  const page = await form("", { agrees: false });
  await page.module.submit(page.$("form"));
  equal([page.questions, page.calls.length], [[], 1]);
});

test("buttons are disabled while the form is sent", async () => {
  let release;
  const page = await form("", { answer: () => new Promise((then) => { release = then; }) });
  const states = () => page.all("button").map((one) => one.disabled);
  const sent = page.module.submit(page.$("form"));
  await until(() => release);
  equal(states(), [true, true]);
  release({ status: 400, json: { error: "no" } });
  await sent;
  equal(states(), [false, false]);
});

test("a part of the path comes from a field", async () => {
  const page = await form('data-action="/api/{part}/x/{title}"');
  await page.module.submit(page.$("form"));
  equal(page.calls[0].path, "/api/in%20the%20path/x/a%2C%20b");
});

test("a deletion without fields has no body, one with fields has", async () => {
  const page = await open(`<form data-method="DELETE" action="/a"></form>
    <form id="two" data-method="DELETE" action="/b"><input name="x" value="1"></form>
    <form id="three" data-method="POST" action="/c"></form>`);
  const { submit } = await page.load("/static/forms.js");
  await submit(page.$("form"));
  await submit(page.$("#two"));
  await submit(page.$("#three"));
  equal(page.calls, [{ method: "DELETE", path: "/a", body: undefined },
    { method: "DELETE", path: "/b", body: { x: "1" } }, { method: "POST", path: "/c", body: {} }]);
});

test("files are sent as a form", async () => {
  const page = await form('data-encoding="multipart"');
  await page.module.submit(page.$("form"));
  equal(page.calls[0].body instanceof page.window.FormData, true);
  equal(page.calls[0].body.get("title"), "a, b");
});

test("a deletion with files sends them", async () => {
  const page = await open('<form data-method="DELETE" data-encoding="multipart" action="/a"></form>');
  const { submit } = await page.load("/static/forms.js");
  await submit(page.$("form"));
  equal(page.calls[0].body instanceof page.window.FormData, true);
});

test("a problem is said in the form, once", async () => {
  const page = await form("", { answer: () => ({ status: 409, json: { error: "taken" } }) });
  await page.module.submit(page.$("form"));
  await page.module.submit(page.$("form"));
  equal(page.all("[role=alert]").length, 1);
  equal(page.html("form > [role=alert]"), '<p class="problem" dir="auto" role="alert">taken</p>');
});

test("a problem is said where the form has a place for it", async () => {
  const page = await open('<form data-method="POST" action="/a"><b role="alert"></b></form>',
    { answer: () => ({ status: 409, json: { error: "taken" } }) });
  const { submit } = await page.load("/static/forms.js");
  await submit(page.$("form"));
  equal(page.html("form"), '<form data-method="POST" action="/a"><b role="alert">taken</b></form>');
});

test("what was saved is told", async () => {
  const page = await form("", { answer: () => ({ json: { id: 7 } }) });
  const told = [];
  page.document.addEventListener("saved", (event) => told.push([event.target.tagName, event.detail]));
  await page.module.submit(page.$("form"));
  await settled();
  equal(told, [["FORM", { id: 7 }]]);
  equal([page.loads, page.path], [0, "/page"]);
});

test("afterwards the page goes where the answer says", async () => {
  const page = await form('data-next="/things/{id}/{none}"', { answer: () => ({ json: { id: "a/b" } }) });
  await page.module.submit(page.$("form"));
  await until(() => page.path === "/things/a%2Fb/");
});

test("afterwards the page goes where the address says, on this site only", async () => {
  const wanted = { "/users?x=1": "/users?x=1", "//evil.example": "/", "/\\evil.example": "/",
    "javascript:alert(1)": "/", "https://evil.example/": "/", "users": "/" };
  for (const [next, expected] of Object.entries(wanted)) {
    const page = await form('data-next="?next"', { path: `/login?next=${encodeURIComponent(next)}` });
    await page.module.submit(page.$("form"));
    await until(() => page.loads === 1, next);
    equal(page.path, expected, next);
  }
  const page = await form('data-next="?next"', { path: "/login" });
  await page.module.submit(page.$("form"));
  await until(() => page.path === "/");
  for (const [next, expected] of Object.entries({ "/here/users": "/here/users", "/users": "/here/" })) {
    const below = await form('data-next="?next" data-home="/here/"', { path: `/here/login?next=${next}` });
    await below.module.submit(below.$("form"));
    await until(() => below.path === expected, next);
  }
});

test("afterwards the page stays below its home", async () => {
  for (const [next, expected] of Object.entries({ "/tertium/users": "/tertium/users", "/other": "/tertium/", "//tertium/": "/tertium/" })) {
    const page = await form('data-next="?next" data-home="/tertium/"', { path: `/tertium/login?next=${encodeURIComponent(next)}` });
    await page.module.submit(page.$("form"));
    await until(() => page.loads === 1, next);
    equal(page.path, expected, next);
  }
});

test("the button of a form with a method speaks to the API", async () => {
  const page = await form();
  page.all("button")[0].click();
  await until(() => page.calls.length === 1);
  equal(page.path, "/page");
});

test("a form without a method is the browser's", async () => {
  const page = await open('<form action="/there"><button>Go</button></form>');
  await page.load("/static/forms.js");
  page.$("button").click();
  await until(() => page.path === "/there");
  equal(page.calls, []);
});
