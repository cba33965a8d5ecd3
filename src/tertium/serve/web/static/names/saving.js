// What was done goes to the server in order, and is kept here until the server has it.
import { call } from "/static/forms.js";
import { newKey } from "/static/rating/queue.js";

// The server is away, busy, or cannot store anything now; it has said nothing of the changes.
const passing = ({ status }) => status === undefined || status === 408 || status === 429 || status >= 500;

export class Saving {
  constructor(address, place, told) {
    this.address = address;
    this.place = place;
    this.told = told;
    this.key = `tertium-names ${address}`;
    this.waiting = this.restored();
    this.busy = false;
    addEventListener("beforeunload", (event) => { if (this.waiting.length) event.preventDefault(); });
    addEventListener("online", () => this.send());
    if (this.waiting.length) this.send();
  }

  restored() {
    try { return JSON.parse(localStorage.getItem(this.key)) ?? []; } catch { return []; }
  }

  remember() {
    try {
      if (this.waiting.length) localStorage.setItem(this.key, JSON.stringify(this.waiting));
      else localStorage.removeItem(this.key);
    } catch { /* private windows forget it */ }
  }

  add(changes) {
    for (const one of changes) this.waiting.push({ ...one, client_key: newKey() });
    this.remember();
    this.send();
  }

  say(sentence, bad = false) {
    this.place.textContent = sentence;
    this.place.classList.toggle("bad", bad);
    this.place.dataset.state = bad ? "failed" : this.waiting.length ? "saving" : "saved";
  }

  async send() {
    if (this.busy || !this.waiting.length) return;
    this.busy = true;
    this.say("Saving …");
    const some = this.waiting.slice(0, 100);
    try {
      const answer = await call("POST", this.address, { changes: some });
      this.waiting.splice(0, some.length);
      this.remember();
      this.say(this.waiting.length ? "Saving …" : "All saved.");
      this.told(answer, !this.waiting.length);
    } catch (problem) {
      if (passing(problem)) {
        const reason = problem.status === undefined ? "the server does not answer" : problem.message;
        this.say(`Not saved yet: ${reason}. It is tried again.`, true);
        setTimeout(() => this.send(), 3000);
      } else {
        this.waiting.splice(0, some.length);
        this.remember();
        this.say(problem.message, true);
        this.told(null, true);
      }
    } finally {
      this.busy = false;
    }
    if (this.waiting.length && this.place.dataset.state === "saving") this.send();
  }
}
