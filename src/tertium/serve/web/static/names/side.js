// Beside the text: the names of the article, the scores that follow from them, suggestions.
import { call } from "../forms.js";

function element(tag, text, ...classes) {
  const made = document.createElement(tag);
  made.textContent = text;
  made.classList.add(...classes.filter(Boolean));
  return made;
}

// Asks again and again; an answer that a later question has overtaken is null.
class Question {
  constructor() { this.asked = 0; }

  async ask(path) {
    const mine = ++this.asked;
    const answer = await call("GET", path);
    return mine === this.asked ? answer : null;
  }
}

export class Side {
  constructor(bench, api, query, guessed) {
    this.api = api;
    this.query = query;
    this.guessed = guessed;
    this.types = JSON.parse(bench.dataset.types);
    this.article = bench.dataset.document;
    this.scores = bench.dataset.scores;
    this.source = document.getElementById("source");
    this.source.addEventListener("change", () => this.suggest());
    this.unit = document.getElementById("unit");
    this.unit.addEventListener("change", () => this.list());
    this.segment = 0;
    this.lists = [];
    this.questions = { lists: new Question(), scores: new Question(), suggestions: new Question() };
  }

  async update() {
    try {
      await Promise.all([this.list(), this.score(), this.source.value ? this.suggest() : null]);
    } catch (problem) {
      document.getElementById("listed").textContent = problem.message;
    }
  }

  async list() {
    const query = new URLSearchParams({ annotator: this.query.get("annotator"), unit: this.unit.value });
    const lists = await this.questions.lists.ask(`${this.api}/lists?${query}`);
    if (lists === null) return;
    this.lists = lists;
    this.show();
  }

  // The segment where the annotator is, which is a paragraph.
  at(segment) {
    this.segment = segment;
    if (this.unit.value === "paragraph") this.show();
  }

  show() {
    const wanted = this.unit.value === "paragraph" ? String(this.segment + 1) : this.article;
    const found = this.lists.find((one) => one.unit === wanted) ?? this.lists[0];
    const names = found?.names ?? [];
    document.getElementById("listed").textContent = names.length === 1 ? "1 name" : `${names.length} names`;
    document.getElementById("names").replaceChildren(...names.map((one) => {
      const row = document.createElement("li");
      for (const type of one.types) {
        row.append(element("span", type, "type", `t${Math.min(this.types.indexOf(type) + 1 || 9, 9)}`));
      }
      const text = element("bdi", one.text);
      row.append(text);
      if (one.segments.length > 1) row.append(element("span", `× ${one.segments.length}`, "times"));
      return row;
    }));
  }

  async score() {
    if (!this.scores) return;
    const answer = await this.questions.scores.ask(this.scores);
    if (answer === null) return;
    const { systems } = answer;
    document.getElementById("live").replaceChildren(...systems.map((one) => {
      const row = document.createElement("tr");
      const name = element("th", "", one.human ? "human" : "");
      name.append(element("bdi", one.system));
      const share = one.total.listed ? (100 * one.total.found) / one.total.listed : 100;
      row.append(name, element("td", share.toFixed(2)), element("td", `${+one.total.found.toFixed(1)} of ${+one.total.listed.toFixed(1)}`));
      return row;
    }));
    document.getElementById("no-scores").hidden = systems.length > 0;
  }

  async suggest() {
    const place = document.getElementById("suggested");
    if (!this.source.value) {
      place.textContent = "";
      document.getElementById("accept").disabled = true;
      this.guessed([]);
      return;
    }
    try {
      const query = new URLSearchParams(this.query);
      query.set("source", this.source.value);
      const found = await this.questions.suggestions.ask(`${this.api}/suggestions?${query}`);
      if (found === null || !this.source.value) return;
      place.textContent = found.length
        ? `${found.length} suggested. Enter takes one, n goes to the next.` : "Nothing more to suggest here.";
      document.getElementById("accept").disabled = !found.length;
      this.guessed(found);
    } catch (problem) {
      place.textContent = problem.message;
    }
  }
}
