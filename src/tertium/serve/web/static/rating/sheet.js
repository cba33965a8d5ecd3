// One item on the screen: texts, and what is asked of them.

import { make, prose } from "./dom.js";
import { Errors, Surface } from "./marking.js";
import { rankOf } from "./ranking.js";
import { scaleOf } from "./scales.js";

export class Sheet {
  constructor(protocol, page, values, changed) {
    Object.assign(this, { protocol, page, changed });
    this.slots = Object.keys(page.outputs);
    this.several = this.slots.length > 1;
    this.fields = []; // in the order in which Tab and digits go through them
    this.answers = {};
    this.element = this.build(values ?? page.values ?? {});
  }

  build(values) {
    const { page } = this;
    const errors = {};
    const told = () => this.changed();
    if (this.protocol.severities.length) {
      for (const slot of this.slots) {
        errors[slot] = new Errors(this.protocol, values[slot]?.errors ?? [], told);
      }
    }
    const parts = [context(page.before, "before")];
    if (page.source !== null) parts.push(this.given("Source", page.source, errors));
    if (page.reference !== null) {
      parts.push(make("section", { class: "given" }, make("h2", {}, "Reference"),
        prose(page.reference)));
    }
    for (const slot of this.slots) parts.push(this.output(slot, values[slot], errors[slot]));
    parts.push(context(page.after, "after"));
    for (const one of Object.values(errors)) one.refresh();
    return make("article", { class: "item" }, ...parts);
  }

  given(title, text, errors) {
    const first = errors[this.slots[0]];
    if (!first) {
      return make("section", { class: "given" }, make("h2", {}, title),
        highlighted(text, this.page.constituent?.source));
    }
    const surface = new Surface(first, "source", text, "Source: errors in it can be marked, too");
    this.sourceSurface = surface;
    return make("section", { class: "given" }, make("h2", {}, title), surface.element);
  }

  output(slot, said, errors) {
    const title = this.several ? `Translation ${slot}` : "Translation";
    const parts = [make("h2", {}, title)];
    const answer = {};
    const text = this.page.outputs[slot];
    const add = (key, field) => {
      answer[key] = field.value;
      this.fields.push(field);
      return field.element;
    };
    const moved = (at) => ({ move = false } = {}) => { if (move) this.step(at, 1); this.changed(); };
    if (errors) {
      const surface = new Surface(errors, "target", text, "Translation: mark its errors");
      parts.push(surface.element, errors.listing, errors.chooser);
      this.fields.push({ focus: () => surface.focus(), value: () => true, name: "text",
        element: surface.element });
      answer.errors = () => errors.values();
    } else {
      parts.push(highlighted(text, this.page.constituent?.outputs[slot]));
    }
    for (const scale of this.protocol.scales) {
      const at = this.fields.length;
      parts.push(add(scale.criterion,
        scaleOf(scale, slot, this.several, said?.[scale.criterion], moved(at))));
    }
    if (this.protocol.ranked) {
      const at = this.fields.length;
      parts.push(add("rank", rankOf(slot, this.slots.length, said?.rank, moved(at))));
    }
    this.answers[slot] = answer;
    return make("section", { class: "output" }, ...parts);
  }

  // The first question without an answer, or null.
  get open() { return this.fields.find((one) => one.value() === null) ?? null; }

  step(at, by) {
    this.fields[Math.max(0, Math.min(this.fields.length - 1, at + by))].focus();
  }

  move(by) {
    const here = this.fields.findIndex((one) => one.element.contains(document.activeElement));
    this.step(here < 0 ? (by > 0 ? -1 : 1) : here, by);
  }

  focus() { (this.open && !this.protocol.severities.length ? this.open : this.fields[0]).focus(); }

  // What there is so far; questions without an answer have null.
  values() {
    return Object.fromEntries(Object.entries(this.answers).map(([slot, answer]) => [slot,
      Object.fromEntries(Object.entries(answer).map(([key, value]) => [key, value()]))]));
  }
}

// A text with a constituent marked in it; offsets count characters, not units of UTF-16.
function highlighted(text, extent) {
  if (!extent) return prose(text);
  const letters = Array.from(text);
  const [start, end] = extent;
  return make("p", { class: "text", dir: "auto" }, letters.slice(0, start).join(""),
    make("mark", {}, letters.slice(start, end).join("")), letters.slice(end).join(""));
}

function context(passages, where) {
  if (!passages.length) return null;
  const title = where === "before" ? "Before it in the document" : "After it in the document";
  return make("details", { class: "context", open: matchMedia("(min-width: 700px)").matches },
    make("summary", {}, title),
    ...passages.map((one) => make("div", { class: "passage" },
      one.source ? prose(one.source, { class: "text soft" }) : null,
      ...Object.entries(one.outputs).map(([slot, text], _, all) => prose(
        all.length > 1 ? `${slot}: ${text}` : text)))));
}
