import { equal, open, settled, test, until } from "/tests/harness.js";

async function queue(answer = () => ({ json: { progress: {} } })) {
  const page = await open("", { answer });
  const { Queue, ask, newKey, Refused } = await page.load("/static/rating/queue.js");
  const told = [];
  const events = { changed: (size) => told.push(["changed", size]),
    stored: (reply, event) => told.push(["stored", reply, event.key]),
    refused: (event, sentence) => told.push(["refused", event.key, sentence]) };
  const make = () => new Queue("mine", "/api/mine", events);
  return { page, told, make, ask, newKey, Refused };
}
const stored = (name) => JSON.parse(localStorage.getItem(name));
const sent = (page) => page.calls.map((one) => one.body.events.map((event) => event.key));

test("keys are 32 hexadecimal digits, each another", async () => {
  const { page, newKey } = await queue();
  const keys = new Set(Array.from({ length: 50 }, newKey));
  equal(keys.size, 50);
  equal([...keys].every((key) => /^[0-9a-f]{32}$/.test(key)), true);
  const random = page.window.crypto.getRandomValues;
  page.window.crypto.getRandomValues = (bytes) => bytes.map((_, at) => at);
  equal(newKey(), "000102030405060708090a0b0c0d0e0f");
  page.window.crypto.getRandomValues = random;
});

test("ask sends JSON and reads JSON", async () => {
  const { page, ask } = await queue(() => ({ json: { id: 3 } }));
  equal(await ask("POST", "/x", { a: 1 }), { id: 3 });
  equal(page.calls, [{ method: "POST", path: "/x", body: { a: 1 } }]);
  equal(page.options[0].headers, { "content-type": "application/json" });
  equal(page.options[0].credentials, "same-origin");
});

test("ask without a body sends neither body nor type", async () => {
  const { page, ask } = await queue(() => ({ status: 204 }));
  equal(await ask("GET", "/x"), null);
  equal([page.options[0].headers, page.options[0].body], [{}, undefined]);
});

test("ask tells status and sentence of a refusal", async () => {
  const replies = [{ status: 422, json: { error: "too late" } }, { status: 502, text: "<p>proxy" },
    { status: 500, json: null }];
  const { ask, Refused } = await queue(() => replies.shift());
  const problems = [];
  for (let turn = 0; turn < 3; turn += 1) {
    await ask("GET", "/x").then(() => problems.push("none"),
      (problem) => problems.push([problem instanceof Refused, problem.status, problem.message]));
  }
  equal(problems, [[true, 422, "too late"], [true, 502, "the server answered 502"],
    [true, 500, "the server answered 500"]]);
});

test("events are sent in order, one at a time", async () => {
  const { page, told, make } = await queue();
  const line = make();
  line.add({ key: "a" });
  await line.add({ key: "b" });
  equal(page.calls, ["a", "b"].map((key) => (
    { method: "POST", path: "/api/mine/events", body: { events: [{ key }] } })));
  equal([line.size, stored("mine"), line.ended, line.running], [0, [], null, null]);
  equal(told.filter(([kind]) => kind === "stored"), [["stored", { progress: {} }, "a"],
    ["stored", { progress: {} }, "b"]]);
  equal(told[0], ["changed", 1]);
  equal(told.at(-1), ["changed", 0]);
});

test("an event is in the storage before it is sent", async () => {
  let release;
  const { make } = await queue(() => new Promise((then) => { release = then; }));
  const line = make();
  const done = line.add({ key: "a" });
  await until(() => release);
  equal([stored("mine"), line.size], [[{ key: "a" }], 1]);
  release({ json: {} });
  await done;
  equal(stored("mine"), []);
});

test("without a connection events wait, longer each time", async () => {
  let away = true;
  const { page, make } = await queue(() => (away ? null : { json: {} }));
  const line = make();
  await line.add({ key: "a" });
  equal([line.size, page.calls.length], [1, 1]);
  const waits = [];
  for (let turn = 0; turn < 7; turn += 1) {
    waits.push(...page.tick());
    await until(() => line.running === null);
  }
  equal(waits, [1000, 2000, 4000, 8000, 16000, 30000, 30000]);
  away = false;
  page.tick();
  await until(() => line.size === 0);
  away = true;
  await line.add({ key: "b" });
  equal(page.tick(), [1000]);
  await until(() => line.running === null);
  equal(line.size, 1);
});

test("a server that is busy or broken is asked again", async () => {
  for (const status of [429, 500, 503]) {
    const { page, told, make } = await queue(() => ({ status, json: { error: "later" } }));
    localStorage.clear();
    const line = make();
    await line.add({ key: "a" });
    equal([line.size, line.ended, [...page.timers.values()].length], [1, null, 1], status);
    equal(told.some(([kind]) => kind === "refused"), false, status);
  }
});

test("a refused event is told, kept beside, and holds up no other", async () => {
  for (const status of [400, 409, 413, 422]) {
    localStorage.clear();
    const { page, told, make } = await queue(({ body }) => (body.events[0].key === "good"
      ? { json: {} } : { status, json: { error: "no" } }));
    const line = make();
    line.add({ key: "bad" });
    line.add({ key: "worse" });
    await line.add({ key: "good" });
    equal(sent(page), [["bad"], ["worse"], ["good"]], status);
    equal([line.size, stored("mine"), stored("mine-refused")], [0, [], [{ key: "bad" }, { key: "worse" }]], status);
    equal(told.filter(([kind]) => kind === "refused"), [["refused", "bad", "no"], ["refused", "worse", "no"]], status);
    equal(page.timers.size, 0);
  }
});

test("a revoked link ends the sending and loses nothing", async () => {
  for (const status of [401, 403, 404]) {
    localStorage.clear();
    const { page, told, make } = await queue(() => ({ status, json: { error: "revoked" } }));
    const line = make();
    await line.add({ key: "a" });
    await line.add({ key: "b" });
    equal([page.calls.length, line.size, line.ended, stored("mine-refused")], [1, 2, "revoked", null], status);
    equal(page.timers.size, 0);
    equal(told.filter(([kind]) => kind !== "changed"), []);
  }
});

test("what was not sent is sent when the connection is back", async () => {
  let away = true;
  const { page, make } = await queue(() => (away ? null : { json: {} }));
  const line = make();
  await line.add({ key: "a" });
  away = false;
  page.send(page.document, "x");
  page.window.dispatchEvent(new page.window.Event("online"));
  await until(() => line.size === 0);
  equal(page.timers.size, 0, "timers of earlier attempts");
});

test("two visits have the same events", async () => {
  const { page, make } = await queue(() => null);
  const first = make();
  await first.add({ key: "a" });
  const second = make();
  equal(second.size, 1);
  page.answer = () => ({ json: {} });
  await second.flush();
  equal([first.size, second.size], [0, 0]);
});

test("storage that is damaged or full loses no new event", async () => {
  localStorage.setItem("mine", "not JSON");
  const { page, make } = await queue(() => null);
  const line = make();
  equal(line.size, 0);
  await line.add({ key: "a" });
  equal(stored("mine"), [{ key: "a" }]);
  page.window.Storage.prototype.setItem = () => { throw new Error("full"); };
  await line.add({ key: "b" });
  equal(line.size, 2);
  page.answer = () => ({ json: {} });
  await line.flush();
  equal([line.size, sent(page).flat().filter((key) => key === "b").length], [0, 1]);
});

test("an item that is dropped is the only one", async () => {
  const { make } = await queue();
  const line = make();
  line.write([{ key: "a" }, { key: "b" }, { key: "c" }]);
  line.drop("b");
  equal(line.read(), [{ key: "a" }, { key: "c" }]);
  await settled();
});
