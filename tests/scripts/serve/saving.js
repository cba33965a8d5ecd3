import { equal, open, settled, test, until } from "/tests/harness.js";

const KEY = "tertium-names /api/x";
const stored = () => JSON.parse(localStorage.getItem(KEY));

async function saving(answer = () => ({ json: { ok: 1 } })) {
  const page = await open('<p id="saving"></p>', { answer });
  const { Saving } = await page.load("/static/names/saving.js");
  const told = [];
  const make = () => new Saving("/api/x", page.$("#saving"), (reply, last) => told.push([reply, last]));
  const shown = () => [page.$("#saving").textContent, page.$("#saving").dataset.state,
    page.$("#saving").classList.contains("bad")];
  return { page, told, make, shown };
}
const SAVED = ["All saved.", "saved", false];
const bodies = (page) => page.calls.map((one) => one.body.changes.map((change) => change.n));

test("changes are sent with a key of their own, and told", async () => {
  const { page, told, make, shown } = await saving();
  const line = make();
  equal(page.calls, []);
  line.add([{ n: 1 }, { n: 2 }]);
  equal(shown(), ["Saving …", "saving", false]);
  equal(stored().map((one) => one.n), [1, 2]);
  await until(() => told.length);
  equal([page.calls[0].method, page.calls[0].path], ["POST", "/api/x"]);
  const keys = page.calls[0].body.changes.map((one) => one.client_key);
  equal([keys.length, new Set(keys).size, keys.every((key) => /^[0-9a-f]{32}$/.test(key))], [2, 2, true]);
  equal([told, stored(), shown(), line.busy, line.waiting], [[[{ ok: 1 }, true]], null, SAVED, false, []]);
});

test("many changes go in parts of a hundred, in order", async () => {
  const { page, told, make, shown } = await saving();
  const line = make();
  line.add(Array.from({ length: 250 }, (_, n) => ({ n })));
  line.add([{ n: 250 }]);
  await until(() => told.length === 3);
  equal(bodies(page).map((one) => one.length), [100, 100, 51]);
  equal(bodies(page).flat(), Array.from({ length: 251 }, (_, n) => n));
  equal(told.map(([, last]) => last), [false, false, true]);
  equal(shown(), SAVED);
});

test("one request at a time", async () => {
  let release;
  const { page, told, make } = await saving(() => new Promise((then) => { release = then; }));
  const line = make();
  line.add([{ n: 1 }]);
  await until(() => release);
  line.add([{ n: 2 }]);
  await settled();
  equal(bodies(page), [[1]]);
  const first = release;
  first({ json: {} });
  await until(() => release !== first);
  equal(bodies(page), [[1], [2]]);
  release({ json: {} });
  await until(() => told.length === 2);
});

test("refused changes leave the queue, and the page is told", async () => {
  const { page, told, make, shown } = await saving(() => ({ status: 422, json: { error: "overlaps" } }));
  const line = make();
  line.add([{ n: 1 }]);
  await until(() => told.length);
  equal([line.waiting, stored(), told, shown()], [[], null, [[null, true]], ["overlaps", "failed", true]]);
  equal(page.timers.size, 0);
  page.answer = () => ({ json: {} });
  line.add([{ n: 2 }]);
  await until(() => told.length === 2);
  equal([bodies(page), shown()], [[[1], [2]], SAVED]);
});

test("without a connection changes are kept and tried again", async () => {
  const { page, told, make, shown } = await saving(() => null);
  const line = make();
  line.add([{ n: 1 }]);
  await until(() => shown()[2]);
  equal(shown(), ["Not saved yet: the server does not answer. It is tried again.", "failed", true]);
  equal([told, stored().length, line.busy], [[], 1, false]);
  page.answer = () => ({ json: {} });
  equal(page.tick(), [3000]);
  await until(() => told.length);
  equal([bodies(page), stored(), shown()], [[[1], [1]], null, SAVED]);
});

test("a server that cannot now is tried again", async () => {
  for (const status of [408, 429, 500, 503, 507]) {
    localStorage.clear();
    const { page, told, make, shown } = await saving(() => ({ status, json: { error: "later" } }));
    make().add([{ n: 1 }]);
    await until(() => shown()[2], status);
    equal([told, stored().length, page.timers.size], [[], 1, 1], status);
    equal(shown()[0], "Not saved yet: later. It is tried again.");
  }
});

test("the connection that is back sends at once", async () => {
  const { page, told, make, shown } = await saving(() => null);
  make().add([{ n: 1 }]);
  await until(() => shown()[2]);
  page.answer = () => ({ json: {} });
  page.window.dispatchEvent(new page.window.Event("online"));
  await until(() => told.length);
});

test("an earlier visit's changes are sent first", async () => {
  localStorage.setItem(KEY, JSON.stringify([{ n: 1, client_key: "k" }]));
  const { page, told, make } = await saving();
  make();
  await until(() => told.length);
  equal(page.calls[0].body.changes, [{ n: 1, client_key: "k" }]);
});

test("damaged or missing storage is an empty queue", async () => {
  localStorage.setItem(KEY, "not JSON");
  const { page, told, make } = await saving();
  const line = make();
  equal(line.waiting, []);
  page.window.Storage.prototype.setItem = () => { throw new Error("none"); };
  line.add([{ n: 1 }]);
  await until(() => told.length);
});

test("a tab with unsaved changes asks before it closes", async () => {
  const { page, make, shown } = await saving(() => null);
  const line = make();
  const asks = () => !page.send(page.window, "beforeunload");
  equal(asks(), false);
  line.add([{ n: 1 }]);
  await until(() => shown()[2]);
  equal(asks(), true);
});
