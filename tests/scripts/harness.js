// Tests of page scripts, run inside a browser: `test(name, body)` registers one, `run(name)` runs it.
// Each test opens frames of its own, so that a script is loaded anew with its modules. A frame has no
// server: `answer` gives the answers to its requests. Timers of a second and more wait for `tick()`.

const tests = new Map();
const frames = [];

export function test(name, body) {
  if (tests.has(name)) throw new Error(`two tests are named ${name}`);
  tests.set(name, body);
}

export async function run(name) {
  localStorage.clear();
  try {
    await tests.get(name)();
    const complaints = frames.flatMap((page) => page.complaints);
    return complaints.length ? `uncaught: ${complaints.join("; ")}` : "";
  } catch (problem) {
    const complaints = frames.flatMap((page) => page.complaints);
    return `${problem.message ?? problem} ${complaints.join("; ")}\n${problem.stack}`;
  } finally {
    for (const page of frames.splice(0)) page.close();
  }
}

// JSON with sorted keys, in which undefined and NaN are seen.
function written(value) {
  return JSON.stringify(value, (_, one) => {
    if (one === undefined) return "<undefined>";
    if (typeof one === "number" && !Number.isFinite(one)) return `<${one}>`;
    if (one && Object.prototype.toString.call(one) === "[object Map]") return [...one];
    if (one && Object.prototype.toString.call(one) === "[object Set]") return [...one];
    if (!one || typeof one !== "object" || Array.isArray(one)) return one;
    return Object.fromEntries(Object.keys(one).sort().map((key) => [key, one[key]]));
  });
}

export function equal(found, expected, subject = "") {
  const [one, other] = [written(found), written(expected)];
  if (one !== other) throw new Error(`${subject} found ${one}, expected ${other}`);
}

const pause = (milliseconds) => new Promise((then) => { setTimeout(then, milliseconds); });

export async function until(condition, subject = String(condition)) {
  for (const end = performance.now() + window.patience; performance.now() < end;) {
    const value = await condition();
    if (value) return value;
    if (frames.some((page) => page.complaints.length)) break;
    await pause(5);
  }
  throw new Error(`never came: ${subject}`);
}

// Long enough for everything that is due at once to happen.
export async function settled() {
  for (let turn = 0; turn < 5; turn += 1) await pause(0);
}

class Page {
  constructor(frame) {
    this.frame = frame;
    this.window = frame.contentWindow;
    this.document = frame.contentDocument;
    this.calls = [];
    this.options = [];
    this.complaints = [];
    this.timers = new Map();
    this.questions = [];
    this.loads = 0;
    this.streams = [];
    frame.addEventListener("load", () => { this.loads += 1; });
    frames.push(this);
    this.equip();
  }

  equip() {
    const { window } = this;
    const page = this;
    const complain = (problem) => this.complaints.push(String(problem?.message ?? problem));
    window.addEventListener("error", (event) => complain(event.error ?? event.message));
    window.addEventListener("unhandledrejection", (event) => complain(event.reason));
    window.fetch = async (path, options = {}) => {
      const body = typeof options.body === "string" ? JSON.parse(options.body) : options.body;
      const call = { method: options.method ?? "GET", path: String(path), body };
      this.calls.push(call);
      this.options.push(options);
      const given = await this.answer(call);
      if (given === null) throw new window.TypeError("Failed to fetch");
      const { status = 200, text, json } = given;
      const empty = json === undefined && text === undefined;
      return new window.Response(empty ? null : text ?? JSON.stringify(json), { status });
    };
    window.confirm = (question) => { this.questions.push(question); return this.agrees; };
    const { setTimeout: later, clearTimeout: cancel } = window;
    window.setTimeout = (work, delay = 0, ...rest) => {
      if (delay < 1000) return later.call(window, work, delay, ...rest);
      const id = 1e9 + this.timers.size;
      this.timers.set(id, { work, delay });
      return id;
    };
    window.clearTimeout = (id) => { if (!this.timers.delete(id)) cancel.call(window, id); };
    window.EventSource = class {
      constructor(path) { this.path = path; this.open = true; page.streams.push(this); }
      close() { this.open = false; }
    };
  }

  answer() { return { json: {} }; }

  // Lets the timers run that wait now; how long each was to wait.
  tick() {
    const due = [...this.timers.values()];
    this.timers.clear();
    for (const { work } of due) work();
    return due.map((one) => one.delay);
  }

  load(path) { return this.window.eval(`import(${JSON.stringify(path)})`); }

  $(selector) {
    const element = this.document.querySelector(selector);
    if (!element) throw new Error(`no ${selector} on the page`);
    return element;
  }

  all(selector) { return [...this.document.querySelectorAll(selector)]; }

  texts(selector) { return this.all(selector).map((one) => one.textContent); }

  html(selector) { return this.$(selector).outerHTML; }

  // Whether the page took the key for itself.
  press(key, { on = null, ...options } = {}) {
    const target = on ?? this.document.activeElement ?? this.document.body;
    const event = new this.window.KeyboardEvent("keydown",
      { key, bubbles: true, cancelable: true, ...options });
    return !target.dispatchEvent(event);
  }

  click(selector, options = {}) {
    const target = typeof selector === "string" ? this.$(selector) : selector;
    target.dispatchEvent(new this.window.MouseEvent("click",
      { bubbles: true, cancelable: true, ...options }));
  }

  send(selector, type, options = {}) {
    const target = typeof selector === "string" ? this.$(selector) : selector;
    return target.dispatchEvent(new this.window.Event(type, { bubbles: true, cancelable: true, ...options }));
  }

  change(selector, value, type = "change") {
    this.$(selector).value = value;
    this.send(selector, type);
  }

  get path() {
    const { pathname, search, hash } = this.frame.contentWindow.location;
    return pathname + search + hash;
  }

  close() { this.frame.remove(); }
}

export async function open(html = "", { path = "/page", answer, agrees = true, width = 1000 } = {}) {
  const frame = document.createElement("iframe");
  frame.width = width;
  frame.height = 700;
  frame.src = path;
  const loaded = new Promise((then) => { frame.addEventListener("load", then, { once: true }); });
  document.body.append(frame);
  await loaded;
  const page = new Page(frame);
  page.document.body.innerHTML = html;
  page.agrees = agrees;
  if (answer) page.answer = answer;
  return page;
}
