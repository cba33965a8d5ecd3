import { equal, open, settled, test, until } from "/tests/harness.js";

const HTML = `<h1 id="title"></h1><progress id="progress" value="0" max="1"></progress><p id="count"></p><p id="saved"></p>
  <p id="asked"></p><details id="help"><summary>Help</summary><p id="words"></p><div id="keys"></div></details><h2 id="place"></h2>
  <p id="notice" class="notice" hidden></p><div id="item"></div><footer id="actions" hidden>
  <button type="button" id="undo"></button><button type="button" id="skip"></button><button type="button" id="next"></button></footer>
  <textarea id="field"></textarea><a id="link" href="#x">x</a>`;
const DA = { instructions: "Rate it.", severities: [], categories: [], ranked: false,
  scales: [{ criterion: "da", whole: false, low: 0, high: 100, labels: {} }] };
const TWO = { ...DA, scales: ["adequacy", "fluency"].map((criterion) => ({ criterion, whole: true, low: 1, high: 5, labels: {} })) };

// A server with items 1 to `count`, all open at first.
class Campaign {
  constructor({ count = 3, protocol = DA, tutorial = [], state = "open", instructions = "" } = {}) {
    Object.assign(this, { count, protocol, tutorial, state, instructions });
    this.values = new Map();
    this.events = [];
    this.away = this.refusal = null;
    this.last = null;
  }

  get progress() {
    return { assigned: this.count, done: this.values.size, last: this.last };
  }

  item(number) {
    if (number > this.count) return null;
    return { number, tutorial: this.tutorial.includes(number), state: this.values.has(number) ? "done" : "open",
      source: `Quelle ${number}`, reference: null, before: [], after: [], outputs: { A: `Output ${number}` },
      values: this.values.get(number) ?? this.taken?.get(number) ?? null };
  }

  answer = ({ method, path, body }) => {
    if (this.away?.(method, path)) return null;
    const refusal = this.refusal?.(method, path);
    if (refusal) return refusal;
    if (path === "/api/mine") return { json: { name: "Campaign", state: this.state, protocol: this.protocol,
      instructions: this.instructions, progress: this.progress } };
    if (path === "/api/mine/next") {
      const open = Array.from({ length: this.count }, (_, at) => at + 1).find((number) => !this.values.has(number));
      return { json: { me: "r1", progress: this.progress, page: open && this.state === "open" ? this.item(open) : null } };
    }
    if (path === "/api/mine/events") {
      const [event] = body.events;
      this.events.push(event);
      this.taken ??= new Map();
      if (event.action === "undo") { this.taken.set(event.number, this.values.get(event.number)); this.values.delete(event.number); }
      else this.values.set(event.number, event.values);
      this.last = event.action === "undo" ? null : event.number;
      const feedback = this.feedback && event.action === "rate" && this.tutorial.includes(event.number)
        ? [{ number: event.number, ...this.feedback }] : [];
      return { json: { progress: this.progress, feedback } };
    }
    return { json: this.item(Number(path.split("/").at(-1))) };
  };
}

async function rating(options = {}, equip = () => {}) {
  const campaign = options instanceof Campaign ? options : new Campaign(options);
  const page = await open(HTML, { answer: campaign.answer });
  page.document.body.dataset.api = "/api/mine";
  page.campaign = campaign;
  equip(page);
  await page.load("/static/rating/rate.js");
  await until(() => page.document.documentElement.dataset.ready === "yes");
  page.number = () => page.document.documentElement.dataset.number;
  page.keys = (...keys) => { for (const key of keys) page.press(key); };
  page.shows = (number) => until(() => page.number() === String(number), `item ${number}`);
  page.rate = async (digits, next) => { page.keys(...digits, "Enter"); await page.shows(next); };
  page.all_saved = () => until(() => page.$("#saved").textContent === "all saved");
  page.told = () => [page.$("#notice").textContent, page.$("#notice").className, page.$("#notice").hidden];
  page.item_calls = () => page.calls.map((call) => `${call.method} ${call.path.replace("/api/mine", "")}`);
  page.draft = () => JSON.parse(localStorage.getItem("tertium-rating-r1-draft"));
  page.sent = () => campaign.events.map(({ number, action, values }) => [number, action, values]);
  return page;
}

test("the first item is shown", async () => {
  const page = await rating({ instructions: "Read it twice." });
  equal(page.item_calls(), ["GET ", "POST /next", "GET /items/2", "GET /items/3"]);
  equal(["#title", "#asked", "#words", "#place", "#count", "#saved"].map((place) => page.$(place).textContent),
    ["Campaign", "Rate it.", "Read it twice.", "Item 1", "0 of 3 done", "all saved"]);
  equal([page.number(), page.$("#actions").hidden, page.told(), page.$("#help").open, page.$("#undo").disabled],
    ["1", false, ["", "notice", true], true, true]);
  equal([page.$("#progress").value, page.$("#progress").max, page.$("#saved").className], [0, 3, ""]);
  equal(page.document.activeElement.className, "slider unset");
  equal(page.document.documentElement.classList.contains("touch"), page.window.navigator.maxTouchPoints > 0);
});

test("help is closed where there are no words, or work was done", async () => {
  equal((await rating()).$("#help").open, false);
  const campaign = new Campaign({ instructions: "x" });
  campaign.values.set(1, {});
  equal((await rating(campaign)).$("#help").open, false);
});

test("an item is rated and the next one shown", async () => {
  const page = await rating();
  await page.rate("75", 2);
  await page.all_saved();
  equal(page.sent(), [[1, "rate", { A: { da: 75 } }]]);
  const [event] = page.campaign.events;
  equal([/^[0-9a-f]{32}$/.test(event.key), event.seconds >= 0, event.seconds < 60, Number(event.seconds.toFixed(2)) === event.seconds], [true, true, true, true]);
  equal([page.$("#count").textContent, page.$("#place").textContent, page.$("#progress").value, page.$("#undo").disabled, page.texts(".output .text")],
    ["1 of 3 done", "Item 2", 1, false, ["Output 2"]]);
  equal(page.item_calls().filter((call) => call.includes("items")), ["GET /items/2", "GET /items/3"]);
});

test("the buttons rate, skip and undo", async () => {
  const page = await rating();
  page.keys("5");
  page.click("#next");
  await page.shows(2);
  page.click("#skip");
  await page.shows(3);
  await page.all_saved();
  equal(page.sent(), [[1, "rate", { A: { da: 5 } }], [2, "skip", {}]]);
  page.click("#undo");
  await page.shows(2);
  equal(page.campaign.events[2].number, 2);
  equal(page.told(), ["Taken back. Change it, then go on.", "notice", false]);
});

test("the last item ends the work", async () => {
  const page = await rating({ count: 1 });
  await page.rate("9", "");
  await page.all_saved();
  equal(page.$("#item").textContent, "That was all for now. Thank you!Everything you did is saved. You may close this page.Look for more Undo the last one");
  equal([page.$("#actions").hidden, page.$("#place").textContent, page.$("#count").textContent], [true, "", "1 of 1 done"]);
  page.keys("Enter", "s", "ArrowDown", "ArrowUp");
  await settled();
  equal(page.campaign.events.length, 1);
  page.campaign.count = 2;
  page.click(page.all(".finished button")[0]);
  await page.shows(2);
});

test("the last one is undone from the end", async () => {
  const page = await rating({ count: 1 });
  await page.rate("9", "");
  await page.all_saved();
  page.click(page.all(".finished button")[1]);
  await page.shows(1);
  equal([page.$("output").textContent, page.$("#actions").hidden], ["9", false]);
});

test("there may be nothing to rate", async () => {
  const page = await rating({ count: 0 });
  equal([page.$(".finished h2").textContent, page.all(".finished button").length, page.number()], ["There is nothing to rate yet.", 1, ""]);
  equal([page.$("#progress").max, page.$("#count").textContent], [1, "0 of 0 done"]);
  const closed = await rating({ state: "closed" });
  equal(closed.$(".finished h2").textContent, "This campaign is not open now.");
});

test("an unanswered question is asked for", async () => {
  const page = await rating({ protocol: TWO });
  page.keys("3", "ArrowUp", "Enter");
  await settled();
  equal([page.told(), page.document.activeElement.getAttribute("aria-label"), page.campaign.events],
    [["Still to answer: fluency.", "notice", false], "fluency", []]);
  page.keys("2");
  equal(page.told(), ["", "notice", true]);
  page.keys("Enter");
  await page.shows(2);
  equal(page.campaign.events[0].values, { A: { adequacy: 3, fluency: 2 } });
});

test("keys move between questions, and help opens", async () => {
  const page = await rating({ protocol: TWO });
  const label = () => page.document.activeElement.getAttribute("aria-label");
  equal([page.press("ArrowDown"), label(), page.press("ArrowUp"), label()], [true, "fluency", true, "adequacy"]);
  equal([page.press("?"), page.$("#help").open, page.press("?"), page.$("#help").open], [true, true, true, false]);
  equal([page.press("x"), page.press("Enter", { ctrlKey: true }), page.press("s", { metaKey: true }), page.press("s", { altKey: true }),
    page.press("s", { on: page.$("#field") }), page.press("Enter", { on: page.$("#undo") }), page.press("Enter", { on: page.$("#link") }),
    page.press("Enter", { on: page.$("summary") })], [false, false, false, false, false, false, false, false]);
  await settled();
  equal(page.campaign.events, []);
  page.keys("4", "4");
  equal(page.press("Enter", { on: page.$(".step") }), true);
  await page.shows(2);
});

test("a slider leaves up and down to the page", async () => {
  const page = await rating();
  const taken = [];
  page.$(".slider").addEventListener("keydown", (event) => taken.push([event.key, event.defaultPrevented]));
  for (const key of ["ArrowUp", "ArrowDown", "ArrowLeft"]) page.press(key, { on: page.$(".slider") });
  equal(taken, [["ArrowUp", true], ["ArrowDown", true], ["ArrowLeft", false]]);
});

test("undo goes back through what was done", async () => {
  const page = await rating();
  await page.rate("10", 2);
  await page.rate("20", 3);
  page.keys("u");
  await page.shows(2);
  equal(page.$("output").textContent, "20");
  page.keys("u");
  await page.shows(1);
  equal(page.$("output").textContent, "10");
  await page.all_saved();
  equal(page.sent().slice(2), [[2, "undo", {}], [1, "undo", {}]]);
  equal(page.campaign.events[3].seconds, 0);
  page.keys("u");
  await settled();
  equal(page.campaign.events.length, 4);
});

test("after an undo the next items are asked for again", async () => {
  const page = await rating();
  await page.rate("10", 2);
  await page.all_saved();
  page.keys("u");
  await page.shows(1);
  equal(page.item_calls().filter((call) => call === "GET /items/3").length, 2);
});

test("undo knows the last one of an earlier visit", async () => {
  const campaign = new Campaign();
  campaign.values.set(1, { A: { da: 44 } });
  campaign.last = 1;
  const page = await rating(campaign);
  equal([page.number(), page.$("#undo").disabled], ["2", false]);
  page.keys("u");
  await page.shows(1);
  equal(page.$("output").textContent, "44");
});

test("undo without a connection takes nothing back", async () => {
  const page = await rating();
  await page.rate("10", 2);
  await page.all_saved();
  page.campaign.away = (method, path) => path.endsWith("/items/1");
  page.keys("u");
  await until(() => !page.$("#notice").hidden);
  equal([page.told()[0], page.number(), page.$("#undo").disabled], ["No connection now, so nothing was taken back. Try again.", "2", false]);
  page.campaign.away = null;
  await settled();
  equal(page.sent().map(([number, action]) => [number, action]), [[1, "rate"]]);
  page.keys("u");
  await page.shows(1);
  await page.rate("15", 2);
  await page.all_saved();
  equal(page.sent().map(([number, action]) => [number, action]), [[1, "rate"], [1, "undo"], [1, "rate"]]);
  equal(page.$("#count").textContent, "1 of 3 done");
});

test("undo of what was not sent yet waits for the connection", async () => {
  const page = await rating();
  page.campaign.away = (method, path) => path.endsWith("/events");
  await page.rate("10", 2);
  page.keys("u");
  await until(() => !page.$("#notice").hidden);
  equal([page.number(), page.$("#saved").textContent], ["2", "1 not yet sent"]);
  page.campaign.away = null;
  page.keys("u");
  await page.shows(1);
  equal(page.$("output").textContent, "10");
});

test("a draft is kept and comes back", async () => {
  const campaign = new Campaign({ protocol: TWO });
  const page = await rating(campaign);
  page.keys("4");
  const { seconds, ...draft } = page.draft();
  equal([draft, seconds >= 0], [{ number: 1, values: { A: { adequacy: 4, fluency: null } } }, true]);
  page.close();
  localStorage.setItem("tertium-rating-r1-draft", JSON.stringify({ ...draft, seconds: 500 }));
  const again = await rating(campaign);
  equal([again.$(".chosen").value, again.document.activeElement.getAttribute("aria-label")], ["4", "fluency"]);
  again.keys("2", "Enter");
  await again.shows(2);
  await again.all_saved();
  equal([campaign.events[0].seconds >= 500, campaign.events[0].seconds < 560], [true, true]);
  equal(again.draft(), null);
});

test("a draft of another item is not taken", async () => {
  localStorage.setItem("tertium-rating-r1-draft", JSON.stringify({ number: 2, values: { A: { da: 4 } }, seconds: 900 }));
  const page = await rating();
  equal(page.$("output").textContent, "not yet");
  page.keys("5", "Enter");
  await page.shows(2);
  await page.all_saved();
  equal(page.campaign.events[0].seconds < 60, true);
});

test("skipping forgets the draft", async () => {
  const page = await rating();
  page.keys("7");
  equal(page.draft().number, 1);
  page.keys("s");
  await page.shows(2);
  equal(page.draft(), null);
});

test("time counts while the page is seen", async () => {
  let now = 1000;
  let hidden = false;
  const page = await rating({}, ({ window, document }) => {
    window.performance.now = () => now;
    Object.defineProperty(document, "hidden", { get: () => hidden });
  });
  now += 2000;
  hidden = true;
  page.send(page.document, "visibilitychange");
  equal(page.draft().seconds, 2);
  now += 50_000;
  hidden = false;
  page.send(page.document, "visibilitychange");
  now += 1234;
  await page.rate("5", 2);
  await page.all_saved();
  equal(page.campaign.events[0].seconds, 3.23);
  now += 90_000_000;
  await page.rate("5", 3);
  await page.all_saved();
  equal(page.campaign.events[1].seconds, 86_400);
});

test("the practice item answers before the next one comes", async () => {
  const campaign = new Campaign({ tutorial: [1] });
  campaign.feedback = { passed: false, text: "Look <again>", expected: { A: { da: [80, 100], sqm: [3, 3] } } };
  const page = await rating(campaign);
  equal([page.$("#place").textContent, page.told()], ["Practice", ["This one is for practice: you will be told what was expected.", "notice", false]]);
  page.keys("5", "Enter");
  await until(() => page.all(".feedback").length);
  equal(page.html(".feedback"), '<section class="feedback off" tabindex="-1" role="status"><h2>Not quite as expected</h2>'
    + '<p dir="auto">Look &lt;again&gt;</p><p class="remark">Expected: da 80 to 100, sqm 3</p></section>');
  equal([page.number(), page.document.activeElement.className, page.$("#item").firstElementChild.className], ["1", "feedback off", "feedback off"]);
  page.keys("s");
  await settled();
  equal(page.number(), "1");
  page.keys("Enter");
  await page.shows(2);
  equal([page.all(".feedback").length, page.$("#place").textContent, campaign.events.length], [0, "Item 2", 1]);
  await page.rate("5", 3);
});

test("feedback of several outputs has their letters", async () => {
  const campaign = new Campaign({ tutorial: [1] });
  campaign.feedback = { passed: true, text: "", expected: { A: { da: [80, 100] }, B: { da: [0, 5] } } };
  const page = await rating(campaign);
  page.keys("5", "Enter");
  await until(() => page.all(".feedback").length);
  equal(page.html(".feedback"), '<section class="feedback passed" tabindex="-1" role="status"><h2>As expected</h2>'
    + '<p class="remark">Expected: A: da 80 to 100, B: da 0 to 5</p></section>');
});

test("feedback may expect nothing, or not come", async () => {
  const campaign = new Campaign({ tutorial: [1, 2] });
  campaign.feedback = { passed: true, text: "", expected: {} };
  const page = await rating(campaign);
  page.keys("5", "Enter");
  await until(() => page.all(".feedback").length);
  equal(page.$(".feedback").textContent, "As expected");
  campaign.feedback = null;
  page.keys("Enter");
  await page.shows(2);
  await page.rate("5", 3);
});

test("items are on the screen before the events are stored", async () => {
  const page = await rating();
  page.campaign.away = (method, path) => path.endsWith("/events");
  await page.rate("1", 2);
  equal([page.$("#saved").textContent, page.$("#saved").className, page.$("#count").textContent], ["1 not yet sent", "waiting", "1 of 3 done"]);
  await page.rate("2", 3);
  page.keys("3", "Enter");
  await until(() => !page.$("#notice").hidden);
  equal(page.told()[0], "No connection now. What you did is kept here and sent when the connection is back.");
  page.keys("Enter", "s", "u");
  await settled();
  equal(page.$("#saved").textContent, "3 not yet sent");
  page.campaign.away = null;
  equal(page.tick().includes(2000), true);
  await page.shows("");
  await page.all_saved();
  equal(page.sent().map(([number, action]) => [number, action]), [[1, "rate"], [2, "rate"], [3, "rate"]]);
});

test("an item that could not be fetched ahead is asked for again", async () => {
  const campaign = new Campaign();
  campaign.away = (method, path) => path.endsWith("/items/2");
  const page = await rating(campaign);
  await until(() => page.calls.length === 4);
  await settled();
  campaign.away = null;
  await page.rate("1", 2);
  equal(page.item_calls().filter((call) => call === "GET /items/2").length, 2);
});

test("an item that is done already is not shown again", async () => {
  const campaign = new Campaign();
  campaign.values.set(2, { A: { da: 1 } });
  const page = await rating(campaign);
  await page.rate("1", 3);
  equal(page.item_calls().filter((call) => call === "POST /next").length, 2);
});

test("no connection for the next item is waited for", async () => {
  const page = await rating({ count: 1 });
  page.campaign.away = (method, path) => path.endsWith("/next");
  page.keys("1", "Enter");
  await until(() => page.told()[0].startsWith("No connection now."));
  page.campaign.away = null;
  page.campaign.refusal = (method, path) => (path.endsWith("/next") ? { status: 503, json: { error: "away" } } : null);
  page.tick();
  await until(() => page.timers.size);
  page.campaign.refusal = (method, path) => (path.endsWith("/next") ? { status: 429, json: { error: "slowly" } } : null);
  page.tick();
  await until(() => page.timers.size);
  page.campaign.refusal = null;
  page.tick();
  await page.shows("");
});

test("who is refused the next item is told", async () => {
  const page = await rating({ count: 1 });
  page.campaign.refusal = (method, path) => (path.endsWith("/next") ? { status: 403, json: { error: "revoked" } } : null);
  page.keys("1", "Enter");
  await until(() => page.$("#notice").className === "problem");
  equal([page.told()[0], page.$("#saved").textContent, page.timers.size], ["You cannot rate here any more (revoked). ", "0 kept in this browser", 0]);
});

test("a revoked link keeps what was not sent", async () => {
  const page = await rating();
  page.campaign.refusal = () => ({ status: 403, json: { error: "revoked" } });
  page.keys("1", "Enter");
  await until(() => page.$("#notice").className === "problem");
  equal([page.told()[0], page.$("#saved").textContent],
    ["You cannot rate here any more (revoked). What was not sent is kept in this browser; ask for a new link.", "1 kept in this browser"]);
});

test("an event that is not accepted is told", async () => {
  const page = await rating();
  page.campaign.refusal = (method, path) => (path.endsWith("/events") ? { status: 422, json: { error: "too late" } } : null);
  page.keys("1", "Enter");
  await until(() => page.told()[0] === "Not accepted: too late");
  equal(page.told()[1], "problem");
});

test("what an earlier visit could not send goes first", async () => {
  const event = { key: "k", number: 1, action: "rate", values: { A: { da: 3 } }, seconds: 1 };
  localStorage.setItem("tertium-rating-r1", JSON.stringify([event]));
  const page = await rating();
  equal([page.number(), page.campaign.events, page.$("#saved").textContent], ["2", [event], "all saved"]);
});

test("a page that cannot be shown says why", async () => {
  const refused = new Campaign();
  refused.refusal = () => ({ status: 404, json: { error: "no such campaign" } });
  equal((await rating(refused)).told(), ["This cannot be shown: no such campaign", "problem", false]);
  const away = new Campaign();
  away.away = () => true;
  equal((await rating(away)).told(), ["The server cannot be reached. Load this page again in a while.", "problem", false]);
});

test("the keys are listed by the protocol", async () => {
  const keys = async (protocol) => (await rating({ protocol: { ...DA, ...protocol } })).texts("#keys li");
  const common = ["Entergo on to the next item", "uundo the last one", "sskip this one", "↑ ↓move between questions", "?show or hide this help"];
  const slider = ["0 – 100on the slider: type the number", "← →on the slider: one less, one more"];
  equal(await keys({}), [...slider, ...common]);
  equal(await keys({ scales: TWO.scales }), ["1 – 5the answer you are at", ...common]);
  equal(await keys({ scales: [{ ...TWO.scales[0], low: 0, high: 3 }] }), ["0 – 3the answer you are at", ...common]);
  equal(await keys({ scales: [], ranked: true }), ["1 – 9rank of the translation you are at", ...common]);
  equal(await keys({ severities: ["minor", "major"] }), ["← →in a text: move by word", "Shift ← →extend to more words", "1mark a minor error",
    "2mark a major error", "mmark missing text", "Deleteremove the error at the cursor", "Tabfrom the source to the translation and on", ...slider, ...common]);
});

test("two quick keys rate one item", async () => {
  const page = await rating();
  const releases = [];
  const answer = page.answer;
  page.keys("1");
  page.answer = async (call) => { await new Promise((then) => { releases.push(then); }); return answer(call); };
  page.keys("Enter", "Enter", "s", "u");
  await page.shows(2);
  for (let turn = 0; turn < 8; turn += 1) { releases.splice(0).forEach((release) => release()); await settled(); }
  equal(page.sent().map(([number, action]) => [number, action]), [[1, "rate"]]);
});

test("storage that is forbidden stops nobody", async () => {
  const page = await rating({}, ({ window }) => {
    window.Storage.prototype.setItem = () => { throw new Error("private"); };
    window.Storage.prototype.getItem = () => { throw new Error("private"); };
    window.Storage.prototype.removeItem = () => { throw new Error("private"); };
  });
  await page.rate("5", 2);
  await page.all_saved();
  equal(page.sent(), [[1, "rate", { A: { da: 5 } }]]);
});
