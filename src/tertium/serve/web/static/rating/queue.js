// Events wait here until the server has acknowledged them: in localStorage, so that neither a lost
// connection nor a closed tab loses one. A repeated send is stored once, by its key.

const LONGEST_WAIT = 30_000;

export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((one) => one.toString(16).padStart(2, "0")).join("");
}

export class Refused extends Error {
  constructor(status, sentence) {
    super(sentence);
    this.status = status;
  }
}

export async function ask(method, path, body) {
  const response = await fetch(path, {
    method,
    headers: body === undefined ? {} : { "content-type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
    credentials: "same-origin",
  });
  const text = await response.text();
  let value = null;
  try { value = text ? JSON.parse(text) : null; } catch { /* no JSON: a proxy's page */ }
  if (!response.ok) {
    throw new Refused(response.status, value?.error ?? `the server answered ${response.status}`);
  }
  return value;
}

export class Queue {
  constructor(name, path, { changed, stored, refused }) {
    Object.assign(this, { name, path, changed, stored, refused });
    this.memory = null; // the events, where the storage is full or forbidden
    this.wait = 1000;
    this.running = null;
    this.ended = null;
    addEventListener("online", () => this.flush());
  }

  read() {
    if (this.memory) return this.memory;
    try { return JSON.parse(localStorage.getItem(this.name)) ?? []; } catch { return []; }
  }

  write(events) {
    try {
      localStorage.setItem(this.name, JSON.stringify(events));
      this.memory = null;
    } catch { this.memory = events; }
    this.changed(events.length);
  }

  get size() { return this.read().length; }

  add(event) {
    this.write([...this.read(), event]);
    return this.flush();
  }

  // Resolves when nothing is left, or when the server cannot be reached now.
  flush() {
    this.running ??= this.drain().finally(() => { this.running = null; });
    return this.running;
  }

  async drain() {
    clearTimeout(this.timer);
    for (;;) {
      const [first] = this.read();
      if (!first || this.ended) break;
      try {
        const answer = await ask("POST", `${this.path}/events`, { events: [first] });
        this.drop(first.key);
        this.wait = 1000;
        this.stored(answer, first);
      } catch (problem) {
        const status = problem instanceof Refused ? problem.status : 0;
        if ([400, 409, 413, 422].includes(status)) {
          this.keepRefused(first);
          this.drop(first.key);
          this.refused(first, problem.message);
        } else if ([401, 403, 404].includes(status)) {
          this.ended = problem.message;
          this.changed(this.size);
        } else {
          this.later();
          break;
        }
      }
    }
    this.changed(this.size);
  }

  later() {
    this.timer = setTimeout(() => this.flush(), this.wait);
    this.wait = Math.min(LONGEST_WAIT, this.wait * 2);
  }

  drop(key) { this.write(this.read().filter((one) => one.key !== key)); }

  // What the server will not take is kept beside, so that nothing a rater did is lost.
  keepRefused(event) {
    try {
      const name = `${this.name}-refused`;
      const before = JSON.parse(localStorage.getItem(name)) ?? [];
      localStorage.setItem(name, JSON.stringify([...before, event]));
    } catch { /* private windows */ }
  }
}
